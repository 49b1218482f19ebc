import { describe, expect, test } from 'vitest'
import type { ConflictSide, SyncStatus } from '../../../electron/bridge/rows.ts'
import { absentWords } from '../../../src/domain/conflict-side-words.ts'
import { conflictWords, contestWords } from '../../../src/domain/conflict-words.ts'
import { connectField } from '../../../src/domain/connect-field.ts'
import { counted } from '../../../src/domain/counted.ts'
import { oneLine } from '../../../src/domain/one-line.ts'
import { blankWords } from '../../../src/domain/blank-words.ts'
import { nextTryWords, relativeTime } from '../../../src/domain/relative-time.ts'
import { changeStateWord, isReachable, pillWords, rowSyncWords, syncStateWord, unsentWords } from '../../../src/domain/sync-words.ts'

const status = (part: Partial<SyncStatus>): SyncStatus => ({
  state: 'synced',
  queued: 0,
  attention: 0,
  unverified: 0,
  values: 'bound',
  lastSyncedAt: null,
  message: null,
  nextAttemptAt: null,
  isPaused: false,
  isViewOnly: false,
  keepsDeleted: true,
  refusals: {},
  limits: [],
  ...part,
})

describe('the sync pill', () => {
  test.each([
    [{}, 'Synced'],
    [{ state: 'syncing' }, 'Syncing'],
    [{ state: 'syncing', queued: 3 }, 'Syncing 3'],
    [{ state: 'queued', queued: 1204 }, '1,204 queued'],
    [{ state: 'offline' }, 'Offline'],
    [{ state: 'offline', queued: 2 }, 'Offline · 2 queued'],
    [{ state: 'attention', attention: 1, queued: 4 }, '1 needs attention'],
    [{ state: 'attention', attention: 2, queued: 4 }, '2 need attention'],
    [{ state: 'attention' }, 'Needs attention'],
    [{ state: 'paused', queued: 5 }, 'Paused · 5 queued'],
    [{ state: 'paused', queued: 5, attention: 1, isPaused: true }, 'Paused · 1 needs attention'],
  ] as const)('%j reads “%s”', (part, words) => {
    expect(pillWords(status(part), false)).toBe(words)
  })

  test.each([
    [{}, 'Saved'],
    [{ state: 'syncing' }, 'Saving'],
    [{ state: 'syncing', queued: 3 }, 'Saving 3'],
    [{ state: 'offline', queued: 2 }, 'Not running · 2 queued'],
    [{ state: 'paused', queued: 5 }, 'Paused · 5 queued'],
  ] as const)('of a workspace that exists only on this computer, %j reads “%s”', (part, words) => {
    expect(pillWords(status(part), true)).toBe(words)
  })
})

test.each([
  [1, 0, '1 unsent change'],
  [4, 0, '4 unsent changes'],
  [4, 1, '1 of 4 unsent changes needs attention'],
  [4, 3, '3 of 4 unsent changes need attention'],
  [4, 4, '4 unsent changes need attention'],
  [1, 1, '1 unsent change needs attention'],
])('%i unsent changes, of which %i wait for the user, are “%s”', (unsent, attention, words) => {
  expect(unsentWords(unsent, attention)).toBe(words)
})

test('the sync mark of a row gives the reason before the plain meaning', () => {
  expect(rowSyncWords('failed', 'The service refused it: too long.', false)).toBe('The service refused it: too long.')
  expect(rowSyncWords('queued', null, false)).toBe('Saved on this computer, not synced yet')
})

test.each([
  ['queued', 'Queued'],
  ['sending', 'Sending'],
  ['blocked', 'Blocked'],
  ['conflict', 'Conflict'],
  ['failed', 'Rejected'],
] as const)('a change that is %s reads %s', (state, word) => {
  expect(syncStateWord(state, false)).toBe(word)
})

test('a change of which the service has not said whether it did it is unconfirmed, not being sent', () => {
  expect(changeStateWord({ state: 'sending', reason: null }, false)).toBe('Sending')
  expect(changeStateWord({ state: 'sending', reason: 'The connection to h was interrupted.' }, false)).toBe('Unconfirmed')
})

test.each([
  ['synced', false, null, true],
  ['attention', false, null, true],
  ['attention', false, 'The service doesn’t accept this API key.', false],
  ['offline', false, 'The service can’t be reached.', false],
  ['syncing', false, null, false],
  ['queued', true, null, false],
] as const)('while sync is %s (paused: %s, problem: %s), what waits goes out: %s', (state, isPaused, message, isOut) => {
  expect(isReachable({ state, isPaused, message })).toBe(isOut)
})

test.each(['synced', 'queued', 'sending', 'blocked', 'conflict', 'failed'] as const)(
  'a row that is %s in a workspace that exists only on this computer is not said to be synced',
  (state) => {
    for (const words of [syncStateWord(state, true), rowSyncWords(state, null, true)]) expect(words).not.toMatch(/sync/i)
  },
)

test.each([
  [0, '0 changes'],
  [1, '1 change'],
  [12_345, '12,345 changes'],
])('%i counts as “%s”', (count, words) => {
  expect(counted(count, 'change')).toBe(words)
})

describe('a time near now', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  test.each([
    ['2026-11-21T11:59:58Z', 'just now'],
    ['2026-11-21T12:00:02Z', 'in a moment'],
    ['2026-11-21T11:59:02Z', 'just now'],
    ['2026-11-21T12:00:42Z', 'in 42 seconds'],
    ['2026-11-21T11:40:00Z', '20 minutes ago'],
    ['2026-11-21T07:00:00Z', '5 hours ago'],
    ['2026-11-18T12:00:00Z', '3 days ago'],
    ['2026-11-21T11:58:59Z', '1 minute ago'],
    ['2026-01-02T12:00:00Z', 'Jan 2'],
    ['2025-01-02T12:00:00Z', 'Jan 2, 2025'],
    ['yesterday-ish', ''],
  ])('%s reads “%s”', (at, words) => {
    expect(relativeTime(at, now)).toBe(words)
  })

  test.each([
    ['2026-11-21T11:40:00Z', '20m ago'],
    ['2026-11-18T12:00:00Z', '3d ago'],
  ])('%s reads “%s” where there is little room', (at, words) => {
    expect(relativeTime(at, now, 'narrow')).toBe(words)
  })
})

test.each([
  ['2026-01-01T00:00:12.000Z', 'next try in 12 seconds'],
  ['2026-01-01T00:00:00.000Z', 'next try in a moment'],
  ['2025-12-31T23:59:00.000Z', 'next try in a moment'],
])('a next try at %s lies ahead', (at, words) => {
  expect(nextTryWords(at, Date.parse('2026-01-01T00:00:00.000Z'))).toBe(words)
})

test.each([
  ['', 'empty'],
  ['  \t\n', 'only white space'],
  [' x ', null],
])('of %j a cell says %s', (value, words) => {
  expect(blankWords(value)).toBe(words)
})

describe('a value in a cell', () => {
  test.each([
    ['plain', 'plain'],
    ['two\nlines', 'two ¶ lines'],
    ['windows\r\nlines', 'windows ¶ lines'],
    ['', ''],
  ])('%j is drawn as %j', (value, drawn) => {
    expect(oneLine(value)).toBe(drawn)
  })

  test('of megabytes is cut before it is drawn', () => {
    expect(oneLine('x'.repeat(3_000_000)).length).toBeLessThan(300)
  })
})

test.each([
  [{ kind: 'insecure-url', message: '' }, 'baseUrl'],
  [{ kind: 'offline', message: '' }, 'baseUrl'],
  [{ kind: 'not-a-service', message: '' }, 'baseUrl'],
  [{ kind: 'unauthorized', message: '' }, 'apiKey'],
  [{ kind: 'refused', message: '', status: 403 }, 'apiKey'],
  [{ kind: 'refused', message: '', status: 404 }, 'baseUrl'],
  [{ kind: 'workspace-key-wrong', message: '' }, 'workspaceKey'],
  [{ kind: 'invalid-input', message: '', field: 'workspaceKey' }, 'workspaceKey'],
  [{ kind: 'invalid-input', message: '', field: 'elsewhere' }, null],
  [{ kind: 'disk-full', message: '' }, null],
] as const)('the connect form shows %j at %s', (error, field) => {
  expect(connectField(error)).toBe(field)
})

const sideOf = (text: string | null): ConflictSide => (text === null ? { state: 'absent', text } : { state: 'shown', text })
const fields = [{ field: 'value', was: sideOf('was'), mine: sideOf('mine'), theirs: sideOf('theirs') }]

test.each(['fields', 'deleted-remotely', 'changed-remotely', 'name-taken'] as const)(
  'a conflict of kind %s is told with its author and two different answers',
  (kind) => {
    const now = Date.parse('2026-11-21T12:00:00Z')
    const words = conflictWords(
      { kind, subject: 'variable', name: 'PORT', remoteBy: 'mira', remoteAt: '2026-11-21T11:55:00Z', news: null, fields },
      now,
    )
    expect(words.story).toMatch(kind === 'name-taken' ? /^mira .* PORT/ : /^mira .* 5 minutes ago/)
    expect(words.mine).not.toBe(words.theirs)
    expect(
      conflictWords({ kind, subject: 'variable', name: 'PORT', remoteBy: null, remoteAt: null, news: null, fields }, now).story,
    ).not.toContain('null')
  },
)

test.each([
  ['parent', 'Discard move'],
  ['name', 'Keep the name was'],
])('of a name that another record has, of which nothing is known, nothing is replaced (%s)', (field, theirs) => {
  const taken = [{ field, was: sideOf('was'), mine: sideOf('mine'), theirs: sideOf(null) }]
  const told = { kind: 'name-taken', subject: 'variable', name: 'PORT', remoteBy: null, remoteAt: null, news: null, fields: taken } as const
  expect(conflictWords(told, 0)).toMatchObject({ story: expect.stringContaining('another variable named PORT'), mine: 'Try again', theirs })
})

test.each([
  [{ conflict: 'fields', remoteBy: 'ada@example.com', remoteAt: '1970-01-01T00:00:00Z' }, 'ada@example.com just now'],
  [{ conflict: 'fields', remoteBy: null, remoteAt: null }, 'Someone else'],
  [{ conflict: 'deleted-remotely', remoteBy: 'ada@example.com', remoteAt: null }, 'deleted by ada@example.com'],
  [{ conflict: 'deleted-remotely', remoteBy: null, remoteAt: null }, 'deleted by someone else'],
  // What is known is of this record, not of the one that has the name.
  [{ conflict: 'name-taken', remoteBy: 'ada@example.com', remoteAt: '1970-01-01T00:00:00Z' }, 'the name is taken'],
] as const)('a conflict %j is told in a list as “%s”', (row, words) => {
  expect(contestWords(row, 0)).toBe(words)
})

test.each([
  ['deleted-remotely', 'missing', 'missing', 'deleted'],
  ['changed-remotely', 'missing', 'deleted', 'missing'],
  ['name-taken', 'missing', 'missing', 'taken'],
  ['fields', 'missing', 'missing', 'missing'],
] as const)('a side of a conflict %s that has nothing says so: %s, %s, %s', (kind, was, mine, theirs) => {
  expect([absentWords(kind, 'was'), absentWords(kind, 'mine'), absentWords(kind, 'theirs')]).toEqual([was, mine, theirs])
})

test('of a name that another record has, the one who last changed that record is named', () => {
  const taken = [{ field: 'name', was: sideOf('URL'), mine: sideOf('PORT'), theirs: sideOf(null) }]
  const remoteAt = '2026-11-21T11:55:00Z'
  const told = { kind: 'name-taken', subject: 'variable', name: 'PORT', remoteBy: 'mira', remoteAt, news: null, fields: taken } as const
  const { story } = conflictWords(told, Date.parse('2026-11-21T12:00:00Z'))
  expect(story).toContain('another variable named PORT, last changed by mira 5 minutes ago.')
})

test.each([
  [true, 'Restore it'],
  [false, 'Create it again'],
])('a deleted environment that its user may restore: %s, comes back by “%s”', (mayRestore, mine) => {
  const what = { kind: 'deleted-remotely', subject: 'environment', name: 'Prod' } as const
  const told = { ...what, remoteBy: null, remoteAt: null, news: null, fields: [] }
  const below = 'You changed S1 and added S2.'
  expect(conflictWords(told, 0, { below, mayRestore })).toMatchObject({ story: `Someone else deleted this. ${below}`, mine })
})

test('a member who is there already is told as such', () => {
  const words = conflictWords(
    { kind: 'name-taken', subject: 'member', name: 'ada@example.com', remoteBy: null, remoteAt: null, news: null, fields },
    0,
  )
  expect(words.story).toMatch(/^ada@example.com is already a member/)
  expect(words.mine).not.toBe(words.theirs)
})

test('a deletion that others have overtaken says what is new in it, and what of mine would go with it', () => {
  const news = { words: '2 variables were added', unsent: 1 }
  const { story } = conflictWords(
    { kind: 'changed-below', subject: 'environment', name: 'Prod', remoteBy: null, remoteAt: null, news, fields: [] },
    0,
  )
  expect(story).toContain('After you deleted this here, 2 variables were added in it on the service.')
  expect(story).toContain('discards 1 unsent change of yours')
})
