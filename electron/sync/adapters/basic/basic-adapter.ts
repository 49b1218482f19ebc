import { type BaseRow, type Entry, isMove, isOperation } from '../../../queue/entry.ts'
import type { Remote } from '../../../remote/remote.ts'
import type { Failure, Known, Outcome, PullPage, PushItem, RemoteParent, SyncPort } from '../../port.ts'
import type { Adapter } from '../shared/adapter.ts'
import { failed } from '../shared/failures.ts'
import { readVersion } from '../shared/read-version.ts'
import type { Accept, SealFields } from '../shared/value-rules.ts'
import type { BasicDeps, RowItem } from './basic-deps.ts'
import { pullMetadata } from './pull-metadata.ts'
import { RowPull } from './pull-rows.ts'
import { pushOperation } from './push-operation.ts'
import { pushDeletions, pushRow } from './push-rows.ts'
import { reconcile } from './reconcile.ts'
import { createRowReader } from './row-reader.ts'

type Pages = ReturnType<SyncPort['pull']>

/** The most that operation 9 deletes. */
const mostDeletions = 200

/** The adapter for a service with the documented 14 operations, and any lists that it turns out to have. */
export function createBasicAdapter(remote: Remote, accept: Accept, seal: SealFields): Adapter {
  const reader = createRowReader(remote, accept)
  const deps: BasicDeps = { remote, accept, seal, reader }

  /** Slugs of the projects that the last pull could not read completely. */
  let unread: ReadonlySet<string> = new Set()
  const isUnread = (row: BaseRow | null) => row?.kind === 'project' && row.fields.slug !== undefined && unread.has(row.fields.slug)

  async function* pullAll(known: Known): Pages {
    reader.forgetLists()
    const pull = new RowPull(reader, known)
    unread = pull.refused
    yield* okPages(pull.below('project', null))
    const ended = pull.isOver ? null : yield* okPages(pullMetadata(deps, known, pull.environments))
    const failure = ended ?? pull.failure
    if (failure !== null) yield { ok: false, error: failure }
  }

  async function* pullOne(known: Known, environment: RemoteParent): Pages {
    const atPath = await reader.hasPath(environment)
    if (!atPath.ok) return yield failed(atPath.error)
    // Only a read of everything shows its new path.
    if (!atPath.value) return yield* pullAll(known)
    const pull = new RowPull(reader, known)
    yield* okPages(pull.below('variable', environment))
    if (pull.failure !== null) yield { ok: false, error: pull.failure }
  }

  async function pushGroup(group: readonly PushItem[]): Promise<readonly Outcome[]> {
    const [first] = group
    if (first === undefined) return []
    const { entry } = first
    const limit = limitOf(entry)
    if (limit !== null) return [{ is: 'unsupported', message: limit }]
    if (isOperation(entry)) return [await pushOperation(deps, entry, first)]
    if (entry.kind === 'delete' && isUnread(first.base)) return [notRead]
    if (group.length === 1 || first.parent === null) return [await pushRow(deps, { ...first, entry })]
    return pushDeletions(deps, first.parent, group.filter(isOfRow))
  }

  return {
    hasFeed: false,
    batch: { entries: mostDeletions, joinsLanes: false },
    limitOf,
    pull: (_cursor, known, environment) => (environment === undefined ? pullAll(known) : pullOne(known, environment)),

    async push(items) {
      const outcomes: Outcome[] = []
      let failure: Failure | null = null
      for (const group of groupsOf(items)) {
        const stopped: Failure | null = failure
        const pushed: readonly Outcome[] = stopped === null ? await pushGroup(group) : group.map(() => ({ is: 'unsent', failure: stopped }))
        outcomes.push(...pushed)
        for (const outcome of pushed) if ('failure' in outcome) failure ??= outcome.failure
      }
      return outcomes
    },

    reconcile: (item) => reconcile(deps, item),
    readVersion: (remoteId) => readVersion(remote, accept, remoteId),
  }
}

/** Others may have changed rows that deleting the project would delete. */
const notRead: Outcome = {
  is: 'unsent',
  failure: {
    kind: 'refused',
    message: 'The service didn’t show everything in this project, so it wasn’t deleted: others may have changed something in it.',
    retryAfterMs: null,
  },
}

async function* okPages<R>(pages: AsyncGenerator<PullPage, R>): AsyncGenerator<{ ok: true; value: PullPage }, R> {
  for (;;) {
    const next = await pages.next()
    if (next.done === true) return next.value
    yield { ok: true, value: next.value }
  }
}

const isOfRow = (item: PushItem): item is RowItem => !isOperation(item.entry)

const isDeletion = ({ entry, parent }: PushItem): boolean => entry.kind === 'delete' && entry.rowKind === 'variable' && parent !== null

/** Groups consecutive deletions of variables of one environment; every other entry is a group of its own. */
function groupsOf(items: readonly PushItem[]): PushItem[][] {
  const groups: PushItem[][] = []
  for (const item of items) {
    const last = groups.at(-1)
    const before = last?.[0]
    const isSame = before !== undefined && isDeletion(item) && isDeletion(before) && before.parent?.remoteId === item.parent?.remoteId
    if (isSame && last !== undefined && last.length < mostDeletions) last.push(item)
    else groups.push([item])
  }
  return groups
}

/** Entries that none of the 14 operations can send. */
const limits: readonly [kind: Entry['kind'], rowKind: Entry['rowKind'], what: string][] = [
  ['create', 'project', 'create projects'],
  ['create', 'variable', 'create variables'],
  ['update', 'project', 'change projects'],
  ['delete', 'environment', 'delete environments'],
  ['snapshot', 'version', 'create versions'],
  ['set-role', 'member', 'change the role of a member'],
]

/** Why a service with only the 14 operations can never take an entry, as a sentence; null: it can. */
function limitOf(entry: Entry): string | null {
  const limit = limits.find(([kind, rowKind]) => kind === entry.kind && rowKind === entry.rowKind)?.[2]
  if (limit !== undefined) return sentence(limit)
  return !isOperation(entry) && isMove(entry) ? sentence('move variables to another environment') : null
}

const sentence = (what: string): string => `This service can’t ${what}. The change is kept here until it can.`
