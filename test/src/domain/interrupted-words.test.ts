import { expect, test } from 'vitest'
import { interruptedWords } from '../../../src/domain/interrupted-words.ts'

test.each([
  [{ undone: 0, kept: 0, left: 0 }, 'Nothing of it was saved.'],
  [{ undone: 1204, kept: 0, left: 0 }, '1,204 changes were undone.'],
  [{ undone: 0, kept: 1, left: 0 }, '1 change already sent or edited since was kept.'],
  [{ undone: 1, kept: 12, left: 0 }, '1 change was undone. 12 changes already sent or edited since were kept.'],
  [{ undone: 0, kept: 0, left: 30 }, '30 changes couldn’t be undone.'],
])('an interrupted import is told of, with what became of it: %j', (note, became) => {
  expect(interruptedWords(note)).toBe(`Holdfast closed or locked before an import was complete. ${became} Import again to complete it.`)
})
