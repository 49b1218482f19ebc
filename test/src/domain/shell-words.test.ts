import { expect, test } from 'vitest'
import { shellWords } from '../../../src/domain/shell-words.ts'

test.each([
  ['browser', 'linux', 'the browser on Linux'],
  ['electron', 'darwin', 'its own window on macOS'],
  ['electron', 'win32', 'its own window on Windows'],
  ['electron', 'freebsd', 'its own window on freebsd'],
] as const)('%s on %s is called “%s”', (shell, platform, words) => {
  expect(shellWords({ shell, platform })).toBe(words)
})
