import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOperation, type Change, type Entry, type Operation } from '../../../electron/queue/entry.ts'
import { lanesOf } from '../../../electron/sync/plan/gate.ts'
import { earliestRetry, joinPushes, nextPush } from '../../../electron/sync/plan/next-push.ts'
import { aChange, anOperation, sealed } from '../../queue/a-change.ts'

const now = 1_000_000
/** All that may go, whole queues looked at. */
const pushes = (queue: readonly Entry[]) => nextPush(queue, now, { entries: 200, window: Number.POSITIVE_INFINITY })
/** The first entry of each request. */
const firsts = (queue: readonly Entry[]): Entry[] => pushes(queue).map(([first]) => first)

/** A queue written down short: each entry gets its place as `seq` and `c<seq>` as id. */
const queueOf = (...changes: Partial<Change>[]): Change[] =>
  changes.map((parts, index) => aChange({ rowId: `row${index + 1}`, ...parts, seq: index + 1, id: `c${index + 1}` }))

const project = { rowKind: 'project' as const, rowId: 'project', ancestors: [] }
const environment = { rowKind: 'environment' as const, rowId: 'env', ancestors: ['project'] }
const elsewhere = { ancestors: ['env2', 'project'] }

/** A move of a variable A from one environment of the project to another. */
const moveTo = (to: string, from: string): Partial<Change> => ({
  ancestors: [to, 'project'],
  leaves: [from, 'project'],
  patch: { parent: to },
  base: { parent: from, name: 'A' },
})

const table: { says: string; queue: Change[]; sends: string[] }[] = [
  { says: 'nothing is nothing', queue: [], sends: [] },
  { says: 'one change is sent', queue: queueOf({}), sends: ['c1'] },
  { says: 'one lane sends one request at a time', queue: queueOf({}, {}), sends: ['c1'] },
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
    queue: queueOf({ ...environment, patch: { name: 'B' }, state: 'conflict', conflict: { kind: 'name-taken', remote: {}, by: null } }, {}),
    sends: [],
  },
  {
    says: 'a project that met another of its slug holds also what was queued below it before, wherever the choice stands',
    queue: queueOf(
      { ...environment, kind: 'create', base: null },
      { ...project, base: null, state: 'conflict', conflict: { kind: 'name-taken', remote: {}, by: null } },
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
  { says: 'a move waits for what is before it where it leaves', queue: queueOf({}, moveTo('env2', 'env')), sends: ['c1'] },
  { says: 'and where it goes', queue: queueOf(elsewhere, moveTo('env2', 'env')), sends: ['c1'] },
  { says: 'and holds what comes after it in both', queue: queueOf(moveTo('env2', 'env'), {}, elsewhere), sends: ['c1'] },
  {
    says: 'a move waits for the environment it goes to, and holds nothing where it leaves while that one waits for the user',
    queue: queueOf(
      { ...environment, rowId: 'env2', kind: 'create', base: null, patch: { slug: 'e' }, state: 'failed' },
      moveTo('env2', 'env'),
      {},
    ),
    sends: ['c3'],
  },
  {
    says: 'the environment it leaves is deleted after it',
    queue: queueOf(moveTo('env2', 'env'), { ...environment, kind: 'delete' }),
    sends: ['c1'],
  },
  {
    says: 'the environment it goes to is deleted after it',
    queue: queueOf(moveTo('env2', 'env'), { ...environment, rowId: 'env2', kind: 'delete' }),
    sends: ['c1'],
  },
  {
    says: 'what takes the name it frees waits for it',
    queue: queueOf({ ...moveTo('env2', 'env'), state: 'conflict' }, { kind: 'create', base: null, patch: { name: 'A' } }),
    sends: [],
  },
  {
    says: 'what takes the name it claims waits for it',
    queue: queueOf({ ...moveTo('env2', 'env'), state: 'conflict' }, { ...elsewhere, kind: 'create', base: null, patch: { name: 'A' } }),
    sends: [],
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

/** A queue of changes and operations: places and ids as in `queueOf`; an operation has a `detail`. */
const mixed = (...entries: (Partial<Change> | Partial<Operation>)[]): Entry[] =>
  entries.map((parts, index) => {
    const place = { seq: index + 1, id: `c${index + 1}` }
    return 'detail' in parts
      ? anOperation({ rowId: `row${index + 1}`, ...parts, ...place })
      : aChange({ rowId: `row${index + 1}`, ...(parts as Partial<Change>), ...place })
  })

const snapshot = { detail: { remoteId: 'v' } }
const rollback = {
  kind: 'rollback' as const,
  detail: { label: 'v1', agreed: { counts: { added: 0, updated: 0, removed: 0 }, resealed: 0, fingerprint: '' } },
}
const invite = (email: string) => ({ kind: 'invite' as const, rowKind: 'member' as const, detail: { email, roleId: 'viewer' } })
const removal = (email: string) => ({ kind: 'remove' as const, rowKind: 'member' as const, detail: { email } })

const operations: { says: string; queue: Entry[]; sends: string[] }[] = [
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
    queue: mixed({ ...rollback, state: 'conflict', conflict: { kind: 'stale-rollback', remote: null, by: null } }, {}, elsewhere),
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

describe('the next pushes', () => {
  test.each(table)('$says', ({ queue, sends }) => {
    expect(firsts(queue).map(({ id }) => id)).toEqual(sends)
  })

  test.each(operations)('$says', ({ queue, sends }) => {
    expect(firsts(queue).map(({ id }) => id)).toEqual(sends)
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

const batches: { says: string; queue: Entry[]; sends: string[][] }[] = [
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
    says: 'deletions, renames and new types go along',
    queue: queueOf(
      isNew('A'),
      { kind: 'delete', base: { name: 'X' } },
      { patch: { name: 'Z' }, base: { name: 'Y' } },
      { patch: { isSecret: true }, base: { name: 'W' } },
    ),
    sends: [['c1', 'c2', 'c3', 'c4']],
  },
  {
    says: 'moves to an environment go with what is sent there',
    queue: queueOf(isNew('B', elsewhere), moveTo('env2', 'env'), { ...moveTo('env2', 'env'), base: { parent: 'env', name: 'C' } }),
    sends: [['c1', 'c2', 'c3']],
  },
  {
    says: 'but not past what waits where they leave',
    queue: queueOf(isNew('B', elsewhere), {}, moveTo('env2', 'env')),
    sends: [['c1'], ['c2']],
  },
  {
    says: 'what comes after a move where it left goes with it, after it',
    queue: queueOf(isNew('B', elsewhere), moveTo('env2', 'env'), {}, { ...moveTo('env2', 'env'), base: { parent: 'env', name: 'C' } }),
    sends: [['c1', 'c2', 'c3', 'c4']],
  },
  {
    says: 'a name is not taken in the request that frees it',
    queue: queueOf({ kind: 'delete', base: { name: 'B' } }, { patch: { name: 'B' }, base: { name: 'A' } }),
    sends: [['c1']],
  },
  {
    says: 'two changes of one row never go together',
    queue: queueOf(isNew('A', { rowId: 'x' }), newValue('A', { rowId: 'x' }), isNew('B')),
    sends: [['c1']],
  },
  { says: 'nor two claims of one name', queue: queueOf(isNew('A'), isNew('A'), isNew('B')), sends: [['c1']] },
  { says: 'what failed before goes alone', queue: queueOf(isNew('A'), isNew('B', { attempts: 2 }), isNew('C')), sends: [['c1']] },
  { says: 'and nothing goes along with it', queue: queueOf(isNew('A', { attempts: 2 }), isNew('B')), sends: [['c1']] },
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
    says: 'a request is no larger than what services take',
    queue: queueOf(...['A', 'B', 'C'].map((name) => isNew(name, { patch: { name, ...large } }))),
    sends: [['c1']],
  },
  {
    says: 'nor with the values that its edits leave as they are, since these go along',
    queue: queueOf(...['A', 'B', 'C'].map((name) => newValue(name, { rowId: name, patch: { isSecret: true }, base: { name, ...large } }))),
    sends: [['c1']],
  },
]

describe('one request', () => {
  test.each(batches)('$says', ({ queue, sends }) => {
    expect(pushes(queue).map((batch) => batch.map(({ id }) => id))).toEqual(sends)
  })

  test('200 variables go in one request, and the next wait for the answer', () => {
    const queue = queueOf(...Array.from({ length: 450 }, (_, n) => isNew(`V${n}`)))
    expect(pushes(queue).map((batch) => batch.length)).toEqual([200])
  })
})

describe('requests of several lanes', () => {
  const inEnvironments = (environments: number, each: number, parts: Partial<Change> = {}) =>
    queueOf(
      ...Array.from({ length: environments * each }, (_, n) =>
        isNew(`V${n}`, { ancestors: [`env${n % environments}`, 'project'], ...parts }),
      ),
    )

  test.each<{ says: string; queue: Change[]; joinsLanes?: boolean; sizes: number[] }>([
    { says: 'go together', queue: inEnvironments(20, 10), sizes: [200] },
    { says: 'go one by one to a service that takes one lane at a time', queue: inEnvironments(3, 2), joinsLanes: false, sizes: [2, 2, 2] },
    { says: 'go together as long as one request takes them', queue: inEnvironments(5, 90), sizes: [180, 180, 90] },
    { says: 'are no larger than what services take', queue: inEnvironments(3, 1, { patch: large }), sizes: [1, 1, 1] },
    { says: 'leave out one that goes alone', queue: [...inEnvironments(2, 2), ...queueOf(environment)], sizes: [4, 1] },
    { says: 'leave out one that failed before', queue: inEnvironments(2, 1, { attempts: 2 }), sizes: [1, 1] },
  ])('$says', ({ queue, joinsLanes = true, sizes }) => {
    const lanes = pushes(queue)
    const joined = joinPushes(lanes, { entries: 200, joinsLanes })
    expect(joined.map((push) => push.length)).toEqual(sizes)
    expect(joined.flat()).toEqual(lanes.flat())
  })
})

describe('the next delayed entry', () => {
  const delayed = (nextAttemptAt: number | null, parts: Partial<Change> = {}) => ({ ...aChange(parts), nextAttemptAt })
  test.each<{ says: string; queue: Change[]; at: number | null }>([
    { says: 'is none in an empty queue', queue: [], at: null },
    { says: 'is none if all may go now', queue: [delayed(null), delayed(now)], at: null },
    { says: 'is the earliest', queue: [delayed(now + 20), delayed(now + 10), delayed(null)], at: now + 10 },
    { says: 'is not one that waits for the user', queue: [delayed(now + 10, { state: 'failed' }), delayed(now + 20)], at: now + 20 },
    { says: 'may be one whose answer was lost', queue: [delayed(now + 10, { state: 'sending' })], at: now + 10 },
    { says: 'is not one that the clock was set back from', queue: [delayed(now + 24 * 60 * 60_000)], at: null },
  ])('$says', ({ queue, at }) => expect(earliestRetry(queue, now)).toBe(at))
})

describe('the beginning of a long queue', () => {
  test('does not go below a place that met another of its slug, however far behind that waits for the choice', () => {
    const edits = Array.from({ length: 700 }, (_, n) => isNew(`V${n}`))
    const queue = queueOf(...edits, {
      ...environment,
      base: null,
      state: 'conflict',
      conflict: { kind: 'name-taken', remote: {}, by: null },
    })
    expect(nextPush(queue, now, { entries: 200 })).toEqual([])
    expect(nextPush(queueOf(...edits), now, { entries: 200 }).map((batch) => batch.length)).toEqual([200])
  })

  test('nor below one that is still to be created behind it', () => {
    const edits = Array.from({ length: 700 }, (_, n) => isNew(`V${n}`))
    const queue = queueOf(...edits, { ...environment, kind: 'create', base: null })
    expect(nextPush(queue, now, { entries: 200 }).map((batch) => batch.map(({ id }) => id))).toEqual([['c701']])
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

describe('the next pushes of any queue', () => {
  const anyQueue = fc.array(anyChange, { maxLength: 12 }).map((parts) => queueOf(...parts))
  const anyOperation = fc.record({
    kind: fc.constantFrom('snapshot', 'rollback'),
    detail: fc.constant({ remoteId: 'v' }),
    ancestors: fc.constantFrom(['env', 'project'], ['env2', 'project']),
    state: fc.constantFrom('queued', 'queued', 'queued', 'sending', 'conflict', 'failed', 'blocked'),
  }) as unknown as fc.Arbitrary<Partial<Operation>>
  const anyMixed = fc.array(fc.oneof(anyChange, anyChange, anyOperation), { maxLength: 12 }).map((parts) => mixed(...parts))

  test('nothing passes a snapshot or rollback of its environment, and neither passes anything, but what waits for the user', () => {
    const isParked = ({ state }: Entry) => state === 'conflict' || state === 'failed' || state === 'blocked'
    fc.assert(
      fc.property(anyMixed, (queue) => {
        for (const chosen of firsts(queue)) {
          const before = queue.filter((other) => other.seq < chosen.seq && other.ancestors[0] === chosen.ancestors[0])
          if (isOperation(chosen)) expect(before).toEqual([])
          else expect(before.filter((other) => isOperation(other) && !isParked(other))).toEqual([])
        }
      }),
    )
  })

  test('what the beginning of a queue lets go, all of it lets go', () => {
    const place = fc.constantFrom<Partial<Change>>(
      { ...environment, kind: 'create', base: null },
      { ...environment, patch: { slug: 'b' }, base: { slug: 'a' } },
      { ...environment, base: null, state: 'conflict', conflict: { kind: 'name-taken', remote: {}, by: null } },
      { ...project, kind: 'delete' },
    )
    const anyOfAll = fc.array(fc.oneof(anyChange, anyChange, anyOperation, place), { maxLength: 14 }).map((parts) => mixed(...parts))
    fc.assert(
      fc.property(anyOfAll, fc.integer({ min: 1, max: 14 }), (queue, size) => {
        const all = firsts(queue)
        const next = nextPush(queue, now, { entries: 200, window: size }).map(([first]) => first)
        for (const change of next) expect(all).toContain(change)
        expect(next.length > 0).toBe(all.length > 0)
      }),
    )
  })

  test('at most one change a lane, one a row, and only queued ones', () => {
    fc.assert(
      fc.property(anyQueue, (queue) => {
        const chosen = firsts(queue)
        const lanes = chosen.flatMap(lanesOf)
        expect(new Set(lanes).size).toBe(lanes.length)
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
        for (const batch of pushes(queue)) {
          const changes = batch as unknown as Change[]
          expect(new Set(changes.map((change) => lanesOf(change)[0])).size).toBe(1)
          expect(changes.map(({ seq }) => seq)).toEqual(changes.map(({ seq }) => seq).toSorted((a, b) => a - b))
          expect(new Set(changes.map(({ rowId }) => rowId)).size).toBe(changes.length)
          const keys = changes.flatMap(({ patch, base }) => [...new Set([patch.name, base?.name].filter((name) => name !== undefined))])
          expect(new Set(keys).size).toBe(keys.length)
          // What goes along could go next if what stands before it in the batch were settled.
          for (const [at, change] of changes.entries()) {
            const settled = new Set(changes.slice(0, at))
            expect(firsts(queue.filter((one) => !settled.has(one)))).toContain(change)
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
        expect(firsts(queue).map(({ id }) => id)).toContain('c1')
      }),
    )
  })
})
