import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isAct, type Act, type Change, type Queued } from '../../../electron/queue/entry.ts'
import { eligibleBatches, eligibleChanges, laneOf, nextBatches } from '../../../electron/sync/plan/eligible.ts'
import { aChange, anAct, sealed } from '../../queue/a-change.ts'

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
    says: 'a project that met another of its slug holds also what was queued below it before, wherever the choice stands',
    queue: queueOf(
      { ...environment, kind: 'create', base: null },
      { ...project, base: null, state: 'conflict', conflict: { kind: 'name-taken', theirs: {}, by: null } },
    ),
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
    says: 'the delete of a move waits for the copy',
    queue: queueOf(
      { ...elsewhere, rowId: 'copy', patch: { value: sealed('1') }, base: { name: 'A' } },
      { kind: 'delete', base: { name: 'A' }, after: 'copy' },
    ),
    sends: ['c1'],
  },
  {
    says: 'and not for what is done to the copy later, which may wait for it',
    queue: queueOf(
      { kind: 'delete', base: { name: 'A' }, after: 'copy' },
      { kind: 'create', base: null, patch: { name: 'A', value: sealed('1') }, rowId: 'back' },
      { ...elsewhere, rowId: 'copy', kind: 'delete', base: { name: 'A' }, after: 'back' },
    ),
    sends: ['c1'],
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

/** A queue of changes and acts: places and ids as in `queueOf`; an act has a `detail`. */
const mixed = (...entries: (Partial<Change> | Partial<Act>)[]): Queued[] =>
  entries.map((parts, index) => {
    const place = { seq: index + 1, id: `c${index + 1}` }
    return 'detail' in parts
      ? anAct({ rowId: `row${index + 1}`, ...parts, ...place })
      : aChange({ rowId: `row${index + 1}`, ...(parts as Partial<Change>), ...place })
  })

const snapshot = { detail: {} }
const rollback = {
  kind: 'rollback' as const,
  detail: { label: 'v1', agreed: { counts: { added: 0, updated: 0, removed: 0 }, resealed: 0, fingerprint: '' } },
}
const invite = (email: string) => ({ kind: 'invite' as const, rowKind: 'member' as const, detail: { email, roleId: 'viewer' } })
const removal = (email: string) => ({ kind: 'remove' as const, rowKind: 'member' as const, detail: { email } })

const acts: { says: string; queue: Queued[]; sends: string[] }[] = [
  { says: 'a snapshot waits for what was queued before it', queue: mixed({}, snapshot), sends: ['c1'] },
  { says: 'a rollback too', queue: mixed({}, rollback), sends: ['c1'] },
  { says: 'and holds what comes after it in its environment, and no other', queue: mixed(snapshot, {}, elsewhere), sends: ['c1', 'c3'] },
  { says: 'while it is under way too', queue: mixed({ ...rollback, state: 'sending' }, {}, elsewhere), sends: ['c3'] },
  {
    says: 'it waits for what waits for the user: that may be meant to be in it',
    queue: mixed({ state: 'conflict' }, snapshot, {}),
    sends: [],
  },
  { says: 'a snapshot and a rollback go in their order', queue: mixed(snapshot, rollback), sends: ['c1'] },
  {
    says: 'a rollback that waits for the user holds up no edit',
    queue: mixed({ ...rollback, state: 'conflict', conflict: { kind: 'stale-rollback', theirs: null, by: null } }, {}, elsewhere),
    sends: ['c2', 'c3'],
  },
  { says: 'but it holds up the next snapshot of its environment', queue: mixed({ ...rollback, state: 'failed' }, snapshot), sends: [] },
  { says: 'a blocked snapshot holds up no edit', queue: mixed({ ...snapshot, state: 'blocked' }, {}), sends: ['c2'] },
  {
    says: 'a snapshot waits for its environment to be made',
    queue: mixed({ ...environment, kind: 'create', base: null }, snapshot),
    sends: ['c1'],
  },
  {
    says: 'the delete of an environment waits for its snapshot',
    queue: mixed(snapshot, { ...environment, kind: 'delete' }),
    sends: ['c1'],
  },
  {
    says: 'a snapshot waits for a new slug above it',
    queue: mixed({ ...environment, patch: { slug: 'b' }, base: { slug: 'a' } }, snapshot),
    sends: ['c1'],
  },
  {
    says: 'and a new slug of the project waits for a rollback below it',
    queue: mixed(rollback, { ...project, patch: { slug: 'b' }, base: { slug: 'a' } }),
    sends: ['c1'],
  },
  { says: 'members go beside environments, one at a time', queue: mixed({}, invite('a@x.y'), invite('b@x.y')), sends: ['c1', 'c2'] },
  {
    says: 'an invitation that waits for the user holds up only that person',
    queue: mixed({ ...invite('a@x.y'), state: 'conflict' }, removal('b@x.y')),
    sends: ['c2'],
  },
  {
    says: 'an e-mail is one person, however it is written',
    queue: mixed({ ...removal('a@x.y'), state: 'failed' }, invite('A@X.Y')),
    sends: [],
  },
]

describe('eligibleChanges', () => {
  test.each(table)('$says', ({ queue, sends }) => {
    expect(eligibleChanges(queue, now).map(({ id }) => id)).toEqual(sends)
  })

  test.each(acts)('$says', ({ queue, sends }) => {
    expect(eligibleChanges(queue, now).map(({ id }) => id)).toEqual(sends)
  })
})

const isNew = (name: string, parts: Partial<Change> = {}): Partial<Change> => ({
  kind: 'create',
  base: null,
  patch: { name, value: sealed(name) },
  ...parts,
})
const newValue = (name: string, parts: Partial<Change> = {}): Partial<Change> => ({
  patch: { value: sealed('new') },
  base: { name, value: sealed('old') },
  ...parts,
})
const large = { value: { sealed: 'x'.repeat(300_000), tag: null, keyId: 'k' } }

const batches: { says: string; queue: Queued[]; sends: string[][] }[] = [
  { says: 'a snapshot between them ends the batch', queue: mixed(isNew('A'), snapshot, isNew('B')), sends: [['c1']] },
  { says: 'a rollback goes alone', queue: mixed(rollback, isNew('A'), isNew('B')), sends: [['c1']] },
  {
    says: 'a snapshot that waits for the user is passed',
    queue: mixed(isNew('A'), { ...snapshot, state: 'failed' }, isNew('B')),
    sends: [['c1', 'c3']],
  },
  { says: 'new variables of one environment go together', queue: queueOf(isNew('A'), isNew('B'), isNew('C')), sends: [['c1', 'c2', 'c3']] },
  { says: 'new values go along', queue: queueOf(isNew('A'), newValue('B'), isNew('C')), sends: [['c1', 'c2', 'c3']] },
  {
    says: 'each environment has a request of its own',
    queue: queueOf(isNew('A'), isNew('A', elsewhere), isNew('B'), isNew('B', elsewhere)),
    sends: [
      ['c1', 'c3'],
      ['c2', 'c4'],
    ],
  },
  {
    says: 'what comes behind a delete waits for it',
    queue: queueOf(isNew('A'), { kind: 'delete', base: { name: 'X' } }, isNew('B')),
    sends: [['c1']],
  },
  {
    says: 'what comes behind a rename waits for it',
    queue: queueOf(isNew('A'), { patch: { name: 'Y' }, base: { name: 'X' } }, isNew('B')),
    sends: [['c1']],
  },
  { says: 'a delete goes alone', queue: queueOf({ kind: 'delete', base: { name: 'X' } }, isNew('B')), sends: [['c1']] },
  { says: 'a new type alone goes alone', queue: queueOf({ patch: { isSecret: true }, base: { name: 'X' } }, isNew('B')), sends: [['c1']] },
  {
    says: 'two changes of one row never go together',
    queue: queueOf(isNew('A', { rowId: 'x' }), newValue('A', { rowId: 'x' }), isNew('B')),
    sends: [['c1']],
  },
  { says: 'nor two claims of one name', queue: queueOf(isNew('A'), isNew('A'), isNew('B')), sends: [['c1']] },
  {
    says: 'what was sent before goes alone, as it was',
    queue: queueOf(isNew('A'), isNew('B', { attempts: 1 }), isNew('C')),
    sends: [['c1']],
  },
  { says: 'and nothing goes along with it', queue: queueOf(isNew('A', { attempts: 1 }), isNew('B')), sends: [['c1']] },
  { says: 'a parked change is passed', queue: queueOf(isNew('A'), isNew('B', { state: 'conflict' }), isNew('C')), sends: [['c1', 'c3']] },
  {
    says: 'but not by what claims its name',
    queue: queueOf(isNew('A'), isNew('B', { state: 'failed' }), isNew('B'), isNew('C')),
    sends: [['c1', 'c4']],
  },
  { says: 'what is under way ends the batch', queue: queueOf(isNew('A', { state: 'sending' }), isNew('B'), isNew('C')), sends: [] },
  {
    says: 'what waits for its time ends the batch',
    queue: queueOf(isNew('A'), isNew('B', { nextAttemptAt: now + 1 }), isNew('C')),
    sends: [['c1']],
  },
  {
    says: 'a barrier between them ends the batch',
    queue: queueOf(isNew('A'), { ...environment, patch: { slug: 'b' }, base: { slug: 'a' } }, isNew('B')),
    sends: [['c1']],
  },
  {
    says: 'nothing goes before the creation of its environment',
    queue: queueOf({ ...environment, kind: 'create', base: null }, isNew('A'), isNew('B')),
    sends: [['c1']],
  },
  {
    says: 'a request is no larger than what servers take',
    queue: queueOf(...['A', 'B', 'C'].map((name) => isNew(name, { patch: { name, ...large } }))),
    sends: [['c1']],
  },
]

describe('eligibleBatches', () => {
  test.each(batches)('$says', ({ queue, sends }) => {
    expect(eligibleBatches(queue, now).map((batch) => batch.map(({ id }) => id))).toEqual(sends)
  })

  test('200 variables go in one request, and the next wait for the answer', () => {
    const queue = queueOf(...Array.from({ length: 450 }, (_, n) => isNew(`V${n}`)))
    expect(eligibleBatches(queue, now).map((batch) => batch.length)).toEqual([200])
  })
})

describe('the beginning of a long queue', () => {
  test('does not go below a place that met another of its slug, however far behind that waits for the choice', () => {
    const edits = Array.from({ length: 700 }, (_, n) => isNew(`V${n}`))
    const queue = queueOf(...edits, {
      ...environment,
      base: null,
      state: 'conflict',
      conflict: { kind: 'name-taken', theirs: {}, by: null },
    })
    expect(nextBatches(queue, now)).toEqual([])
    expect(nextBatches(queueOf(...edits), now).map((batch) => batch.length)).toEqual([200])
  })

  test('nor below one that is still to be created behind it', () => {
    const edits = Array.from({ length: 700 }, (_, n) => isNew(`V${n}`))
    const queue = queueOf(...edits, { ...environment, kind: 'create', base: null })
    expect(nextBatches(queue, now).map((batch) => batch.map(({ id }) => id))).toEqual([['c701']])
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
  const anyAct = fc.record({
    kind: fc.constantFrom('snapshot', 'rollback'),
    detail: fc.constant({}),
    ancestors: fc.constantFrom(['env', 'project'], ['env2', 'project']),
    state: fc.constantFrom('queued', 'queued', 'queued', 'sending', 'conflict', 'failed', 'blocked'),
  }) as fc.Arbitrary<Partial<Act>>
  const anyMixed = fc.array(fc.oneof(anyChange, anyChange, anyAct), { maxLength: 12 }).map((parts) => mixed(...parts))

  test('nothing passes a snapshot or rollback of its environment, and neither passes anything, but what waits for the user', () => {
    const isParked = ({ state }: Queued) => state === 'conflict' || state === 'failed' || state === 'blocked'
    fc.assert(
      fc.property(anyMixed, (queue) => {
        for (const chosen of eligibleChanges(queue, now)) {
          const before = queue.filter((other) => other.seq < chosen.seq && other.ancestors[0] === chosen.ancestors[0])
          if (isAct(chosen)) expect(before).toEqual([])
          else expect(before.filter((other) => isAct(other) && !isParked(other))).toEqual([])
        }
      }),
    )
  })

  test('what the beginning of a queue lets go, all of it lets go', () => {
    const place = fc.constantFrom<Partial<Change>>(
      { ...environment, kind: 'create', base: null },
      { ...environment, patch: { slug: 'b' }, base: { slug: 'a' } },
      { ...environment, base: null, state: 'conflict', conflict: { kind: 'name-taken', theirs: {}, by: null } },
      { ...project, kind: 'delete' },
    )
    const anyOfAll = fc.array(fc.oneof(anyChange, anyChange, anyAct, place), { maxLength: 14 }).map((parts) => mixed(...parts))
    fc.assert(
      fc.property(anyOfAll, fc.integer({ min: 1, max: 14 }), (queue, size) => {
        const all = eligibleChanges(queue, now)
        const next = nextBatches(queue, now, size).map(([first]) => first)
        for (const change of next) expect(all).toContain(change)
        expect(next.length > 0).toBe(all.length > 0)
      }),
    )
  })

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

  test('a batch holds one lane in the order it was made, no row and no name twice, and begins with what may go first', () => {
    const anyValue = fc.option(fc.constantFrom(sealed('1'), sealed('2')), { nil: undefined })
    const withValues = fc
      .array(fc.tuple(anyChange, anyValue), { maxLength: 14 })
      .map((parts) => queueOf(...parts.map(([part, value]) => ({ ...part, patch: { ...part.patch, ...(value && { value }) } }))))
    fc.assert(
      fc.property(withValues, (queue) => {
        for (const batch of eligibleBatches(queue, now)) {
          const changes = batch as unknown as Change[]
          expect(new Set(changes.map(laneOf)).size).toBe(1)
          expect(changes.map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq).toSorted((a, b) => a - b))
          expect(new Set(changes.map(({ rowId }) => rowId)).size).toBe(changes.length)
          const keys = changes.flatMap(({ patch, base }) => [...new Set([patch.name, base?.name].filter((name) => name !== undefined))])
          expect(new Set(keys).size).toBe(keys.length)
          // What goes along could go next if what stands before it in the batch were settled.
          for (const [at, change] of changes.entries()) {
            const settled = new Set(changes.slice(0, at))
            expect(
              eligibleChanges(
                queue.filter((one) => !settled.has(one)),
                now,
              ),
            ).toContain(change)
          }
        }
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
