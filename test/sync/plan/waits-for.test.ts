import { expect, test } from 'vitest'
import type { Change, Entry, Operation } from '../../../electron/queue/entry.ts'
import { waitsFor } from '../../../electron/sync/plan/waits-for.ts'
import { aChange, anOperation } from '../../queue/a-change.ts'

/** A queue written down short: each entry gets its place as `seq` and `c<seq>` as id. */
const queueOf = (...entries: (Partial<Change> | Partial<Operation>)[]): Entry[] =>
  entries.map((parts, index) => {
    const place = { rowId: `row${index + 1}`, ...parts, seq: index + 1, id: `c${index + 1}` }
    return 'detail' in parts ? anOperation(place as Partial<Operation>) : aChange(place as Partial<Change>)
  })

const environment = { rowKind: 'environment' as const, rowId: 'env', ancestors: ['project'] }
const newEnvironment = { ...environment, kind: 'create' as const, base: null, patch: { slug: 'e' } }
const snapshot = { detail: { remoteId: 'v' } }
const move = { ancestors: ['env2', 'project'], leaves: ['env', 'project'], patch: { parent: 'env2' }, base: { parent: 'env', name: 'A' } }

test.each<{ says: string; queue: Entry[]; waits: Record<string, [because: string, entry: string, needsAttention: boolean]> }>([
  { says: 'a turn in a lane is no reason', queue: queueOf({}, {}), waits: {} },
  { says: 'a blocked parent', queue: queueOf({ ...newEnvironment, state: 'blocked' }, {}), waits: { c2: ['parent', 'c1', true] } },
  { says: 'a parent that is sent next', queue: queueOf(newEnvironment, {}), waits: { c2: ['parent', 'c1', false] } },
  { says: 'a conflict of its row', queue: queueOf({ rowId: 'x', state: 'conflict' }, { rowId: 'x' }), waits: { c2: ['row', 'c1', true] } },
  {
    says: 'a name that a parked entry frees',
    queue: queueOf({ kind: 'delete', base: { name: 'A' }, state: 'failed' }, { kind: 'create', base: null, patch: { name: 'A' } }),
    waits: { c2: ['name', 'c1', true] },
  },
  {
    says: 'a slug change behind a blocked new variable, and what is behind that',
    queue: queueOf(
      { kind: 'create', base: null, patch: { name: 'N' }, state: 'blocked' },
      { ...environment, patch: { slug: 'b' }, base: { slug: 'a' } },
      { base: { name: 'A' } },
    ),
    waits: { c2: ['below', 'c1', true], c3: ['barrier', 'c2', true] },
  },
  {
    says: 'a deletion of an environment behind a blocked one in it',
    queue: queueOf({ state: 'blocked' }, { ...environment, kind: 'delete' }),
    waits: { c2: ['below', 'c1', true] },
  },
  { says: 'a snapshot behind a failed one', queue: queueOf({ state: 'failed' }, snapshot), waits: { c2: ['below', 'c1', true] } },
  { says: 'a snapshot behind a queued one', queue: queueOf({}, snapshot), waits: { c2: ['below', 'c1', false] } },
  {
    says: 'a stuck one is named before one that moves',
    queue: queueOf({ base: { name: 'B' } }, { state: 'failed' }, snapshot),
    waits: { c3: ['below', 'c2', true] },
  },
  {
    says: 'a move into an environment that is blocked, and the deletion of where it leaves',
    queue: queueOf({ ...newEnvironment, rowId: 'env2', state: 'blocked' }, move, { ...environment, kind: 'delete' }),
    waits: { c2: ['parent', 'c1', true], c3: ['below', 'c2', true] },
  },
])('an entry waits for $says', ({ queue, waits }) => {
  const found = [...waitsFor(queue)].map(([id, { because, entry, needsAttention }]) => [id, [because, entry.id, needsAttention]])
  expect(Object.fromEntries(found)).toEqual(waits)
})
