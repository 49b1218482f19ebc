import { expect, test } from 'vitest'
import type { RestartNote } from '../../../electron/bridge/rows.ts'
import { earlierWords, keepWords, listedWords, resentWords, restartWords } from '../../../src/domain/restart-words.ts'

type Change = RestartNote['rows'][number]['change']

const noteOf = (changes: Change[], rest: Partial<RestartNote> = {}): RestartNote => ({
  at: '2026-01-01T00:00:00.000Z',
  rows: changes.map((change, at) => ({ id: `${at}`, kind: 'variable', name: `V${at}`, where: 'Shop / Prod', change })),
  isCut: false,
  unverified: 0,
  ...rest,
})

test.each<[string, RestartNote, string]>([
  ['each kind', noteOf(['changed', 'deleted', 'added', 'changed']), '2 changed, 1 deleted, 1 added'],
  ['only new rows', noteOf(['added']), '1 added'],
  ['more rows than a note lists', noteOf(['added', 'added'], { isCut: true }), '2 added, and more'],
])('counts %s', (_, note, words) => {
  expect(restartWords(note)).toBe(words)
})

test.each<[string, RestartNote, string, string]>([
  ['where this computer had something else', noteOf(['changed', 'added']), 'Keep the service’s data', 'Send your values again'],
  ['where an earlier value waits for its user', noteOf(['added'], { unverified: 1 }), 'Keep the service’s data', 'new on this computer'],
  ['where all rows are new here', noteOf(['added']), 'Dismiss', 'new on this computer'],
])('offers what can be done %s', (_, note, button, words) => {
  expect(keepWords(note)).toBe(button)
  expect(listedWords(note)).toContain(words)
  expect(earlierWords(note)).toBe(note.unverified === 0 ? '' : '1 earlier value is Unverified until you choose.')
})

test('says of rows that were not sent again what may be in the way, an open question too', () => {
  expect(resentWords({ sent: 1, inPart: 0, skipped: 0 })).toBe('Sending 1 change again')
  expect(resentWords({ sent: 1, inPart: 1, skipped: 0 })).toBe(
    'Sending 2 changes again. 1 row keeps its current name because its former name is taken',
  )
  expect(resentWords({ sent: 2, inPart: 0, skipped: 2 })).toBe(
    'Sending 2 changes again. Skipped 2 rows that changed since, are in conflict, or whose name is taken',
  )
})
