import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { err, ok, type Result } from '../../bridge/result.ts'
import { baseChildren, getBase, getBaseByRemote } from '../../mirror/base-layer.ts'
import { followedBelow, followedOfRow, noParent, putFollowed, type Followed } from '../../mirror/followed-layer.ts'
import { changesBelow, queuedOfSort } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { RemoteError } from '../../remote/remote.ts'
import type { BaseRow, RowKind } from '../../queue/entry.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { applyContext } from './apply-context.ts'
import { applyUpsert } from './apply-theirs.ts'
import { confirmGone } from './confirm-gone.ts'
import type { EngineDeps } from './engine-deps.ts'
import { inParallel } from './in-parallel.ts'
import { linkFollowed } from './link-followed.ts'
import { readByKey } from './look-up.ts'
import type { WirePlace } from './places.ts'
import type { Pulled } from './pull-feed.ts'
import type { RemoteRow } from './remote-row.ts'

/** Requests under way at once. */
const width = 6
/** Names read between two transactions: short enough to keep the window fluid. */
const sliceSize = 200

/**
 * For a server without lists: reads by operations 2, 5 and 7 what is known and what the user named, one by one; and the names of what
 * was made here and cannot be created there, for somebody may have made it by another way. What is not there any more goes as after
 * any pull: only when its own read, and those of what it is in, say so.
 */
export async function pullFollowed(deps: EngineDeps): Promise<Pulled> {
  const pull: Pull = { deps, failure: null }
  deps.mirror.write((tx) => linkFollowed(tx, () => deps.newId()))
  const read = await readEverything(pull)
  deps.mirror.write((tx) => linkFollowed(tx, () => deps.newId()))
  if (!read.ok) return { do: 'stop', error: read.error }
  return pull.failure === null ? { do: 'done' } : { do: 'stop', error: pull.failure }
}

interface Pull {
  deps: EngineDeps
  /** The first record that the server failed to read: the others are read all the same, but this was no good pull. */
  failure: RemoteError | null
}

async function readEverything(pull: Pull): Promise<Result<null, RemoteError>> {
  const projects = await readBelow(pull, 'project', null, { project: '', environment: '' })
  if (!projects.ok) return projects
  for (const project of projects.value) {
    const inProject = { project: project.fields.slug ?? '', environment: '' }
    const environments = await readBelow(pull, 'environment', project, inProject)
    if (!environments.ok) return environments
    for (const environment of environments.value) {
      const variables = await readBelow(pull, 'variable', environment, { ...inProject, environment: environment.fields.slug ?? '' })
      if (!variables.ok) return variables
    }
  }
  return ok(null)
}

/** One name to read at a place. */
interface Ask {
  key: string
  base: BaseRow | null
  entry: Followed | null
}

interface Answered {
  ask: Ask
  read: Result<RemoteRow, RemoteError>
}

/** Reads what is followed right below a row (null: the projects), and gives the rows that are there. */
async function readBelow(pull: Pull, kind: RowKind, parent: BaseRow | null, place: WirePlace): Promise<Result<BaseRow[], RemoteError>> {
  const { deps } = pull
  const asks = deps.mirror.snapshot((tx) => asksBelow(tx, kind, parent))
  const there: BaseRow[] = []
  for (let at = 0; at < asks.length; at += sliceSize) {
    const answers = await inParallel(
      asks.slice(at, at + sliceSize),
      width,
      async (ask): Promise<Answered> => ({ ask, read: await readByKey(deps.remote, deps.cipher, kind, place, ask.key) }),
      ({ read }) => !read.ok && endsPull.has(read.error.kind),
    )
    for (const { read } of answers.filter(Boolean)) {
      if (read.ok) continue
      if (endsPull.has(read.error.kind)) return err(read.error)
      if (read.error.kind === 'server-failed') pull.failure ??= read.error
    }
    const applied = await apply(deps, parent, answers)
    if (!applied.ok) return applied
    there.push(...applied.value)
    await yieldToOthers()
  }
  return ok(there)
}

/** What was read goes into base; what is gone goes first, so that a new record of its name does not stand beside it. */
async function apply(deps: EngineDeps, parent: BaseRow | null, answers: readonly Answered[]): Promise<Result<BaseRow[], RemoteError>> {
  // Read under the name that the user gave for it now, it was renamed and is not gone.
  const seen = new Set(answers.flatMap(({ read }) => (read.ok ? [read.value.remoteId] : [])))
  const absent = answers.flatMap(({ ask, read }) =>
    ask.base !== null && !seen.has(ask.base.remoteId) && isAbsent(ask.base, read) ? [ask.base] : [],
  )
  const confirmed = await confirmGone(deps, absent)
  if (!confirmed.ok) return confirmed
  // Its place may have been given to another meanwhile, or have gone with what was just confirmed.
  const isOurs = (row: RemoteRow): boolean => row.parentRemoteId === (parent?.remoteId ?? null)
  const found = answers.flatMap(({ read }) => (read.ok && isOurs(read.value) ? [read.value] : []))
  const context = applyContext(deps)
  const { changed, there } = deps.mirror.write((tx) => {
    if (parent !== null && getBase(tx, parent.id) === null) return { changed: absent.length > 0, there: [] }
    const changes = found.map((row) => applyUpsert(tx, row, parent?.id ?? null, context))
    const noted = answers.map(({ ask, read }) => (read.ok && !isOurs(read.value) ? false : note(tx, ask, read)))
    const rows = found.flatMap((row) => getBaseByRemote(tx, row.kind, row.remoteId) ?? [])
    return { changed: [...changes, ...noted].some(Boolean) || absent.length > 0, there: rows }
  })
  if (changed) deps.onChange(['projects', 'environments', 'variables', 'queue'])
  return ok(there)
}

/** Neither there nor another record under its name: a record that only could not be read says nothing. */
const isAbsent = (base: BaseRow, read: Result<RemoteRow, RemoteError>): boolean =>
  read.ok ? read.value.remoteId !== base.remoteId : read.error.kind === 'missing'

/** Remembers how a name was answered, and by which row; what is in a place that is not there is not there either. */
function note(tx: Tx, { entry }: Ask, read: Result<RemoteRow, RemoteError>): boolean {
  if (entry === null || (!read.ok && read.error.kind === 'server-failed')) return false
  const row = read.ok ? getBaseByRemote(tx, read.value.kind, read.value.remoteId) : null
  const state = read.ok ? 'there' : read.error.kind === 'missing' ? 'missing' : 'refused'
  const row_id = row?.id ?? entry.row_id
  if (entry.state === state && entry.row_id === row_id) return false
  putFollowed(tx, { ...entry, state, row_id })
  if (state === 'missing') noteBelow(tx, entry.id)
  return true
}

function noteBelow(tx: Tx, parentId: string): void {
  for (const entry of followedBelow(tx, parentId)) {
    putFollowed(tx, { ...entry, state: 'missing' })
    noteBelow(tx, entry.id)
  }
}

/** Every name to read right below a row: of what is known, of what the user named, of what was made here. */
function asksBelow(tx: Tx, kind: RowKind, parent: BaseRow | null): Ask[] {
  const asks = new Map<string, Ask>()
  const add = (key: string | null, base: BaseRow | null, entry: Followed | null): void => {
    if (key !== null && !asks.has(key)) asks.set(key, { key, base, entry })
  }
  const place = parent === null ? noParent : (followedOfRow(tx, parent.id)?.id ?? null)
  const entries = place === null ? [] : followedBelow(tx, place)
  const ofRow = new Map(entries.map((entry) => [entry.row_id, entry]))
  for (const row of baseChildren(tx, parent?.id ?? null)) add(naturalKey(row.kind, row.fields), row, ofRow.get(row.id) ?? null)
  for (const entry of entries) add(entry.key, null, entry)
  const unsent = parent === null ? queuedOfSort(tx, 'create', kind) : changesBelow(tx, parent.id)
  for (const change of unsent) {
    if (change.kind !== 'create' || change.state === 'sending') continue
    add(change.sought?.key ?? null, null, null)
    add(naturalKey(kind, change.patch), null, null)
  }
  return [...asks.values()]
}

/** Says nothing about the one record, and would say the same of all others. */
const endsPull: ReadonlySet<RemoteError['kind']> = new Set([
  'offline',
  'interrupted',
  'timeout',
  'cancelled',
  'unauthorized',
  'busy',
  'redirected',
  'not-a-service',
])
