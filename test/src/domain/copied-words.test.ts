import { expect, test } from 'vitest'
import { copiedWords } from '../../../src/domain/copied-words.ts'

test.each([
  [{ copied: 1, skipped: 0, overwritten: 0 }, false, 'Copied 1 variable to Staging'],
  [{ copied: 0, skipped: 0, overwritten: 1 }, true, 'Moved 1 variable to Staging, overwriting the one there'],
  [{ copied: 0, skipped: 0, overwritten: 2 }, false, 'Copied 2 variables to Staging, overwriting those there'],
  [
    { copied: 2, skipped: 1, overwritten: 1 },
    true,
    'Moved 3 variables to Staging, overwriting 1 there, left out 1 that exists there or changed meanwhile',
  ],
  [
    { copied: 0, skipped: 2, overwritten: 0 },
    false,
    'Copied 0 variables to Staging, left out 2 that exist there, changed meanwhile or are Unverified',
  ],
])('of %j, moved: %s, every variable that arrived is counted', (counts, isMove, words) => {
  expect(copiedWords(counts, 'Staging', isMove)).toBe(words)
})
