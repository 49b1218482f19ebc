import { expect, test } from 'vitest'
import { splitEnd } from '../../../src/domain/split-end.ts'

const same = 'production europe west frankfurt primary cluster '
test.each([
  ['Production', ['Production', '']],
  [`${same}number one`, ['production europe west frankfurt primary', ' cluster number one'.slice(1)]],
  [`${same}with😀 ${'x'.repeat(16)}`, [`${same}with`, `😀 ${'x'.repeat(16)}`]],
])('%j keeps its end in sight', (text, halves) => {
  const [start, end] = splitEnd(text, 18)
  expect(start + end).toBe(text)
  expect(end).toBe(halves[1])
})
