import { expect, test } from 'vitest'
import { confidentialItem } from '../../electron/main/confidential-item.ts'

test.each([
  ['win32', ['ExcludeClipboardContentFromMonitorProcessing', 'CanIncludeInClipboardHistory', 'CanUploadToCloudClipboard']],
  ['darwin', ['org.nspasteboard.ConcealedType']],
  ['linux', ['x-kde-passwordManagerHint']],
  ['freebsd', []],
])('on %s a value carries the marks of that system', (platform, formats) => {
  const { 'text/plain': text, ...marks } = confidentialItem(platform, 'a value')
  expect(text).toBe('a value')
  expect(Object.keys(marks)).toEqual(formats.map((format) => `electron application/osclipboard;format="${format}"`))
  expect(JSON.stringify(marks)).not.toContain('a value')
})
