import { expect, test } from 'vitest'
import { confidentialItem } from '../../electron/main/confidential-item.ts'

/** A serialized DWORD of zero. */
const zero = Buffer.alloc(4)

// Windows heeds any content of the first mark, and zeros in the others. Klipper heeds the word; on macOS the type alone counts.
test.each<[string, Record<string, Buffer>]>([
  [
    'win32',
    {
      ExcludeClipboardContentFromMonitorProcessing: Buffer.from('1'),
      CanIncludeInClipboardHistory: zero,
      CanUploadToCloudClipboard: zero,
    },
  ],
  ['darwin', { 'org.nspasteboard.ConcealedType': Buffer.from('1') }],
  ['linux', { 'x-kde-passwordManagerHint': Buffer.from('secret') }],
  ['freebsd', {}],
])('on %s a value carries the marks of that system', (platform, formats) => {
  const { 'text/plain': text, ...marks } = confidentialItem(platform, 'a value')
  expect(text).toBe('a value')
  // Electron writes a text as its UTF-8 bytes.
  const written = Object.entries(marks).map(([type, content]) => [type, Buffer.from(content, 'utf8')])
  expect(written).toEqual(
    Object.entries(formats).map(([format, content]) => [`electron application/osclipboard;format="${format}"`, content]),
  )
})
