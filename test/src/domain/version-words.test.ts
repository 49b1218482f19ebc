import { describe, expect, test } from 'vitest'
import { changeName, changeWords } from '../../../src/domain/change-words.ts'
import { diffWords, nextLabel } from '../../../src/domain/version-words.ts'
import { discardWords } from '../../../src/domain/discard-words.ts'
import { isIdle, rollbackCountWords, rollbackTimingWords, rollbackWouldWords } from '../../../src/domain/rollback-words.ts'

test.each([
  [[], 'v1'],
  [['v1', 'v2'], 'v3'],
  [['v10', 'v9', 'before the release'], 'v11'],
  [['v3', null, null], 'v6'],
  [['v12345678901'], 'v1'],
] as const)('after %j the next version is likely to be %s', (labels, next) => {
  expect(nextLabel(labels)).toBe(next)
})

describe('a rollback', () => {
  test.each([
    [{ added: 2, updated: 1, removed: 0 }, '2 added, 1 changed', false],
    [{ added: 0, updated: 0, removed: 1204 }, '1,204 deleted', false],
    [{ added: 0, updated: 0, removed: 0 }, 'no change', true],
  ])('of %j reads “%s”', (counts, words, idle) => {
    expect([rollbackCountWords(counts), isIdle(counts)]).toEqual([words, idle])
  })

  test.each([
    [{ added: 1, updated: 2, removed: 1 }, 'Rolling back adds 1, changes 2, and deletes 1.'],
    [{ added: 0, updated: 1204, removed: 1 }, 'Rolling back changes 1,204 and deletes 1.'],
    [{ added: 0, updated: 0, removed: 2 }, 'Rolling back deletes 2.'],
  ])('to %j would do as it says: “%s”', (counts, words) => {
    expect(rollbackWouldWords(counts)).toBe(words)
  })

  test.each([
    [0, null, ''],
    [2, null, 'It runs after the 2 changes queued before it.'],
    [0, 'when you’re back online', 'It runs when you’re back online.'],
    [0, 'once you resume', 'It runs once you resume.'],
    [1, 'when you’re back online', 'It runs when you’re back online, after the change queued before it.'],
  ] as const)('behind %i changes, sent %s, says when it goes: “%s”, and that it asks again', (unsent, later, words) => {
    const how = { unsent, later, environment: 'Production' }
    expect(rollbackTimingWords({ ...how, isAlone: true })).toBe(words)
    expect(rollbackTimingWords({ ...how, isAlone: false })).toBe(
      `${words} If someone changes Production meanwhile, you’ll be asked again.`.trim(),
    )
  })
})

const change = { subject: 'version', fields: [], counts: null } as const

describe('an unsent change', () => {
  test.each([
    [{ ...change, kind: 'create', subject: 'variable' }, 'New variable'],
    [{ ...change, kind: 'update', subject: 'variable', fields: ['value', 'isSecret'] }, 'Value, Secret'],
    [{ ...change, kind: 'update', subject: 'project' }, 'Changed project'],
    [{ ...change, kind: 'delete', subject: 'environment' }, 'Deleted environment'],
    [{ ...change, kind: 'snapshot' }, 'New version'],
    [{ ...change, kind: 'rollback' }, 'Rollback'],
    [{ ...change, kind: 'rollback', counts: { added: 1, updated: 0, removed: 2 } }, 'Rollback: 1 added, 2 deleted'],
    [{ ...change, kind: 'invite', subject: 'member' }, 'Invitation'],
    [{ ...change, kind: 'set-role', subject: 'member' }, 'New role'],
    [{ ...change, kind: 'remove', subject: 'member' }, 'Removed member'],
  ] as const)('%j reads “%s”', (row, words) => {
    expect(changeWords({ ...row, fields: [...row.fields] })).toBe(words)
  })

  test('is called the next version until the service has named it', () => {
    expect(changeName({ kind: 'snapshot', name: '' })).toBe('Next version')
    expect(changeName({ kind: 'snapshot', name: 'v3' })).toBe('v3')
    expect(changeName({ kind: 'update', name: '' })).toBe('')
  })

  test.each(['create', 'update', 'delete', 'snapshot', 'rollback', 'invite', 'set-role', 'remove'] as const)(
    'of kind %s is discarded after a question that names it and says what happens',
    (kind) => {
      const { title, text } = discardWords({ kind, name: 'THAT_ONE' })
      expect(title).toMatch(/THAT_ONE.*\?$/)
      expect(text).toMatch(/\.$/)
    },
  )

  test.each([
    ['invite', 'queued', /hasn’t been sent/],
    ['invite', 'failed', /^If it has already been sent/],
    ['snapshot', 'queued', /hasn’t been saved/],
    ['snapshot', 'failed', /^If the service has already saved it/],
    ['remove', 'queued', /hasn’t been sent/],
    ['remove', 'failed', /^If the service has already removed them/],
    ['set-role', 'queued', /stays as it is/],
    ['set-role', 'failed', /^If the service has already changed their role/],
    ['rollback', 'queued', /stays as it is/],
    ['rollback', 'failed', /^If the service has already rolled/],
    ['delete', 'queued', /comes back/],
    ['delete', 'failed', /^If the service has already deleted it/],
    ['update', 'queued', /goes back/],
    ['update', 'failed', /^If the service has already made it/],
    ['update', 'sending', /^If the service has already made it/],
    ['create', 'sending', /If the service has already created it, it comes back/],
  ] as const)('of kind %s that is %s, is discarded after a question that is true though its answer may be lost', (kind, state, words) => {
    expect(discardWords({ kind, name: 'THAT_ONE', state }).text).toMatch(words)
  })
})

test('each state of a variable in a version has words of its own', () => {
  const words = (['added', 'updated', 'removed', 'same'] as const).map(diffWords)
  expect(new Set(words).size).toBe(4)
})
