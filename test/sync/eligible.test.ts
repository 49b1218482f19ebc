import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Change } from '../../electron/sync/change.ts'
import { eligibleChanges, laneOf } from '../../electron/sync/eligible.ts'
import { aChange } from './a-change.ts'

const now = 1_000_000

/** A queue written down short: each entry gets its place as `seq` and `c<seq>` as id. */
const queueOf = (...changes: Partial<Change>[]): Change[] =>
  changes.map((parts, index) => aChange({ rowId: `row${index + 1}`, ...parts, seq: index + 1, id: `c${index + 1}` }))

const project = { rowKind: 'project' as const, rowId: 'project', ancestors: [] }
const environment = { rowKind: 'environment' as const, rowId: 'env', ancestors: ['project'] }
const elsewhere = { ancestors: ['env2', 'project'] }

const table: { says: string; queue: Change[]; sends: string[] }[] = [
  { says: 'nothing is nothing', queue: [], sends: [] },
  { says: 'one change is sent', queue: queueOf({}), sends: ['c1'] },
  { says: 'one lane sends one at a time, the first first', queue: queueOf({}, {}), sends: ['c1'] },
  { says: 'two environments send side by side', queue: queueOf({}, elsewhere), sends: ['c1', 'c2'] },
  { says: 'what is being sent holds its lane', queue: queueOf({ state: 'sending' }, {}), sends: [] },
  { says: 'what waits for its time holds its lane', queue: queueOf({ nextAttemptAt: now + 1 }, {}), sends: [] },
  {
    says: 'a time further ahead than any backoff is a clock that was put back: it is due',
    queue: queueOf({ nextAttemptAt: now + 86_400_000 }),
    sends: ['c1'],
  },
  { says: 'what is due is sent', queue: queueOf({ nextAttemptAt: now }), sends: ['c1'] },
  { says: 'a parked change lets the rest of its lane pass', queue: queueOf({ state: 'conflict' }, {}), sends: ['c2'] },
  { says: 'a blocked one too', queue: queueOf({ state: 'blocked' }, {}), sends: ['c2'] },
  { says: 'a failed one too', queue: queueOf({ state: 'failed' }, {}), sends: ['c2'] },
  { says: 'but not what comes after it on its row', queue: queueOf({ state: 'conflict', rowId: 'x' }, { rowId: 'x' }, {}), sends: ['c3'] },
  {
    says: 'nor one that claims the name it frees',
    queue: queueOf(
      { state: 'failed', kind: 'delete', base: { name: 'A' } },
      { kind: 'create', base: null, patch: { name: 'A' } },
      { kind: 'create', base: null, patch: { name: 'B' } },
    ),
    sends: ['c3'],
  },
  {
    says: 'the same name in another environment is another name',
    queue: queueOf(
      { state: 'failed', kind: 'delete', base: { name: 'A' } },
      { ...elsewhere, kind: 'create', base: null, patch: { name: 'A' } },
    ),
    sends: ['c2'],
  },
  {
    says: 'delete B, then rename A to B: the delete goes first',
    queue: queueOf({ kind: 'delete', base: { name: 'B' } }, { patch: { name: 'B' }, base: { name: 'A' } }),
    sends: ['c1'],
  },
  {
    says: 'an environment goes before its variables',
    queue: queueOf({ ...environment, kind: 'create', base: null }, {}),
    sends: ['c1'],
  },
  {
    says: 'also when it has to be created again after them',
    queue: queueOf({}, { ...environment, kind: 'create', base: null }),
    sends: ['c2'],
  },
  {
    says: 'a parked creation holds everything below it',
    queue: queueOf({ ...environment, kind: 'create', base: null, state: 'conflict' }, {}, elsewhere),
    sends: ['c3'],
  },
  {
    says: 'a project that has to be created holds the variables of its environments',
    queue: queueOf({ ...project, kind: 'create', base: null }, { ...environment, kind: 'create', base: null }, {}),
    sends: ['c1'],
  },
  {
    says: 'a new slug waits for what was queued below it',
    queue: queueOf({}, { ...environment, patch: { slug: 'b' }, base: { slug: 'a' } }),
    sends: ['c1'],
  },
  {
    says: 'and holds what comes after it below',
    queue: queueOf({ ...environment, patch: { slug: 'b' }, base: { slug: 'a' } }, {}, elsewhere),
    sends: ['c1', 'c3'],
  },
  {
    says: 'an environment that met another of its slug holds what was queued below it, until the user has chosen',
    queue: queueOf({ ...environment, patch: { name: 'B' }, state: 'conflict', conflict: { kind: 'name-taken', theirs: {}, by: null } }, {}),
    sends: [],
  },
  {
    says: 'a new display name holds nothing below',
    queue: queueOf({ ...environment, patch: { name: 'B' }, base: { name: 'A' } }, {}),
    sends: ['c1', 'c2'],
  },
  {
    says: 'the delete of an environment waits for what was queued below it',
    queue: queueOf({}, { ...environment, kind: 'delete' }),
    sends: ['c1'],
  },
  {
    says: 'even for a parked one: the user may want it first',
    queue: queueOf({ state: 'conflict' }, { ...environment, kind: 'delete' }),
    sends: [],
  },
  {
    says: 'the delete of a project waits for all lanes below it',
    queue: queueOf({}, elsewhere, { ...project, kind: 'delete' }),
    sends: ['c1', 'c2'],
  },
  {
    says: 'a new slug of a project holds the variables of its environments',
    queue: queueOf({ ...project, patch: { slug: 'b' }, base: { slug: 'a' } }, {}),
    sends: ['c1'],
  },
  {
    says: 'a place that has to be created again goes before a barrier above it that waits for the edits below',
    queue: queueOf(
      { kind: 'create', base: null, patch: { name: 'N' } },
      { ...project, patch: { slug: 'b' }, base: { slug: 'a' } },
      { ...environment, kind: 'create', base: { slug: 'e' }, patch: { slug: 'e' } },
    ),
    sends: ['c3'],
  },
  {
    says: 'a slug swap of two environments goes in the order it was made',
    queue: queueOf(
      { kind: 'delete', base: { name: 'X' }, ancestors: ['e1', 'project'] },
      { ...environment, rowId: 'e1', patch: { slug: 't' }, base: { slug: 'a' } },
      { ...environment, rowId: 'e2', patch: { slug: 'a' }, base: { slug: 'b' } },
      { ...environment, rowId: 'e1', patch: { slug: 'b' }, base: { slug: 't' } },
      { kind: 'delete', base: { name: 'X' }, ancestors: ['e2', 'project'] },
    ),
    sends: ['c1'],
  },
]

describe('eligibleChanges', () => {
  test.each(table)('$says', ({ queue, sends }) => {
    expect(eligibleChanges(queue, now).map(({ id }) => id)).toEqual(sends)
  })
})

const anyChange = fc.record({
  kind: fc.constantFrom('create', 'update', 'delete'),
  rowId: fc.constantFrom('r1', 'r2', 'r3'),
  ancestors: fc.constantFrom(['env', 'project'], ['env2', 'project']),
  patch: fc.record({ name: fc.constantFrom('A', 'B', 'C') }, { requiredKeys: [] }),
  base: fc.option(fc.record({ name: fc.constantFrom('A', 'B', 'C') })),
  state: fc.constantFrom('queued', 'queued', 'queued', 'sending', 'conflict', 'failed', 'blocked'),
}) as fc.Arbitrary<Partial<Change>>

describe('eligibleChanges, for any queue', () => {
  const anyQueue = fc.array(anyChange, { maxLength: 12 }).map((parts) => queueOf(...parts))

  test('at most one change a lane, one a row, and only queued ones', () => {
    fc.assert(
      fc.property(anyQueue, (queue) => {
        const chosen = eligibleChanges(queue, now)
        expect(new Set(chosen.map(laneOf)).size).toBe(chosen.length)
        expect(new Set(chosen.map(({ rowId }) => rowId)).size).toBe(chosen.length)
        expect(chosen.every(({ state }) => state === 'queued')).toBe(true)
      }),
    )
  })

  test('a queue of which nothing is parked, sending or waiting always moves', () => {
    const ready = fc
      .array(anyChange, { minLength: 1, maxLength: 12 })
      .map((parts) => queueOf(...parts.map((part) => ({ ...part, state: 'queued' as const }))))
    fc.assert(
      fc.property(ready, (queue) => {
        expect(eligibleChanges(queue, now).map(({ id }) => id)).toContain('c1')
      }),
    )
  })
})
