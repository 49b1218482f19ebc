import { expect, test } from 'vitest'
import { undoKey } from '../../../src/domain/undo-key.ts'

const press = (key: string, ...held: ('ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey')[]) => ({
  key,
  code: '',
  ctrlKey: held.includes('ctrlKey'),
  metaKey: held.includes('metaKey'),
  shiftKey: held.includes('shiftKey'),
  altKey: held.includes('altKey'),
})

test.each([
  [press('z', 'ctrlKey'), 'undo'],
  [press('z', 'metaKey'), 'undo'],
  [press('Z', 'ctrlKey', 'shiftKey'), 'redo'],
  [press('Z', 'metaKey', 'shiftKey'), 'redo'],
  [press('y', 'ctrlKey'), 'redo'],
  [press('z'), null],
  [press('z', 'ctrlKey', 'altKey'), null],
  [press('x', 'ctrlKey'), null],
] as const)('%j asks for %s', (event, asked) => {
  expect(undoKey(event)).toBe(asked)
})
