import { expect, test } from 'vitest'
import { readAside } from '../../../electron/app/imports/read-aside.ts'

test('a YAML text of empty keys, which takes long to read, is read while other work gets its turn', async () => {
  const begun = performance.now()
  let last = begun
  let longest = 0
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await readAside(':\n'.repeat(50_000), 'yaml', new AbortController().signal)
  const end = performance.now()
  clearInterval(timer)
  expect(Math.max(longest, end - last)).toBeLessThan((end - begun) / 2)
})
