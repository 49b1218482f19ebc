import type { EnqueueContext } from '../../mirror/enqueue.ts'
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { getBaseByRemote, knownRemotely, putBase, remoteChildren } from '../../mirror/base-layer.ts'
import { getTracked } from '../../mirror/tracked-layer.ts'
import { linkTracked, writeTracked } from '../../mirror/tracked-names.ts'
import { insertRemotes } from '../../mirror/insert-remotes.ts'
import { deleteMember, getMemberByRemote, putRoles } from '../../mirror/members-layer.ts'
import { getState, setState, type StateKey } from '../../mirror/workspace-state.ts'
import { operationsOf } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { deleteVersion, forgetOrphans, getVersionByRemote, hasOrphans } from '../../mirror/versions-layer.ts'
import { refreshRow } from '../../mirror/working-layer.ts'
import { parentKind, type BaseRow, type RowKind } from '../../queue/entry.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { planDeleted, planRecord, type RecordPlan } from '../plan/plan-record.ts'
import type { Facts } from '../plan/step.ts'
import type { Delta, Failure, PullPage, RemoteParent, RemoteRow, WorkspaceNews } from '../port.ts'
import { slicesOf } from '../slices.ts'
import { contextOf, type EngineDeps } from './engine-deps.ts'
import { pullFactsIn } from '../../mirror/plan-facts.ts'
import { knownIn } from './known.ts'
import {
  beginRestart,
  changeBetween,
  endRestart,
  isNoting,
  noteOnly,
  noteRestart,
  withDescendants,
  type RestartedRow,
} from './note-restart.ts'
import { writeMember, writeVersion } from '../../mirror/write-metadata.ts'
import { writeSteps } from '../../mirror/write-steps.ts'

/** A service may send data without an end, and must not use up the space that edits need. */
const noRoom: Failure = {
  kind: 'disk',
  message: 'The disk is almost full, so Holdfast stopped reading from the service. Free some space; your changes are kept.',
  retryAfterMs: null,
}

/** The one environment to pull, before and after a rollback. */
export interface PullScope {
  environment: RemoteParent
  /** The variable names of the version, for a service without lists. */
  names: readonly string[]
}

/**
 * Reads the remote changes into base and rebases unsent changes onto them; returns the failure that ended it. Each page is written with its
 * cursor in one transaction, so a crash may repeat a page but never skip one. When halted, it ends after the page under way: the caller
 * checks `isHalted` before it concludes that everything was read.
 */
export async function pull(deps: EngineDeps, isHalted: () => boolean, scope?: PullScope): Promise<Failure | null> {
  const { mirror, port } = deps
  if (isHalted()) return null
  linkNames(deps)
  const known = knownIn(mirror, new Map(scope ? [[scope.environment.remoteId, scope.names]] : []))
  const cursor = mirror.snapshot((tx) => getState(tx, 'feed-cursor'))
  /**
   * The records that an unanswered request has held back, each by its local id, or if it has none here by its remote id. If there is one, the
   * cursor stays: the next pull reads that page again.
   */
  const held = new Set<string>()
  for await (const page of port.pull(cursor, known, scope?.environment)) {
    if (!page.ok) return page.error
    if (deps.hasRoom?.() === false) return noRoom
    // The values of a page were opened in this turn.
    await yieldToOthers()
    for (const part of emptiedFirst(deps, page.value)) {
      const written = mirror.write((tx) => writePage(tx, part, held, deps))
      if (written.isChanged) deps.onChange(['projects', 'environments', 'variables', 'versions', 'members', 'queue'])
      if (written.isNewName) deps.onChange(['workspaces'])
      await yieldToOthers()
      if (isHalted()) return null
    }
  }
  linkNames(deps)
  mirror.write((tx) => {
    if (held.size > 0) noteOnly(tx, held)
    else endRestart(tx)
    if (hasOrphans(tx)) forgetOrphans(tx, deps.now())
  })
  return null
}

/**
 * Yields a page, and before it, in slices, the deletions of all rows below the projects and environments that the page deletes. Reading or
 * deleting 100,000 variables at once would block everything else for seconds. Our own service's feed has the same order. Records that the
 * page itself shows are not deleted.
 */
function* emptiedFirst({ mirror }: EngineDeps, page: PullPage): Generator<PullPage> {
  const named = new Set(
    page.deltas.map((delta) => (delta.is === 'row' ? delta.row.remoteId : delta.is === 'deleted' ? delta.remoteId : null)),
  )
  const { history } = page
  let { restarted } = page
  for (const deleted of page.deltas) {
    if (deleted.is !== 'deleted') continue
    for (const below of deletedBelow(mirror, deleted)) {
      const unnamed = below.filter(({ remoteId }) => !named.has(remoteId))
      if (unnamed.length === 0) continue
      const cursor = mirror.snapshot((tx) => getState(tx, 'feed-cursor'))
      for (const deltas of slicesOf(unnamed)) {
        yield { deltas, cursor, restarted, history }
        restarted = false
      }
    }
  }
  yield { ...page, restarted }
}

type Deleted = Extract<Delta, { is: 'deleted' }>

/** Yields the deletions of all rows below a deleted one, children first, one environment at a time. */
function* deletedBelow(mirror: EngineDeps['mirror'], { kind, remoteId, by }: Deleted): Generator<Deleted[]> {
  if (kind !== 'project' && kind !== 'environment') return
  const children = mirror.snapshot((tx) => {
    const row = getBaseByRemote(tx, kind, remoteId)
    return row === null ? [] : remoteChildren(tx, row.id)
  })
  const deleted = children.map((child): Deleted => ({ is: 'deleted', ...child, by }))
  if (kind === 'project') for (const environment of deleted) yield* deletedBelow(mirror, environment)
  yield deleted
}

/** Links tracked names to rows, because services without a feed are read by them. */
function linkNames({ mirror, port, newId }: EngineDeps): void {
  if (!port.hasFeed) mirror.write((tx) => linkTracked(tx, () => newId()))
}

interface Written {
  isChanged: boolean
  /** Whether the workspace has another name than before. */
  isNewName: boolean
}

/** Writes one page with its cursor, unless a record of it or of an earlier page is `held`. Adds those that it holds. */
function writePage(tx: Tx, page: PullPage, held: Set<string>, deps: EngineDeps): Written {
  if (isRestored(tx, page)) {
    beginRestart(tx, deps.now())
    // Otherwise, while a row is held, each pull would find the same restart again.
    setState(tx, 'feed-cursor', null)
  }
  const noted: RestartedRow[] | null = isNoting(tx) ? [] : null
  const context = contextOf(deps)
  const unknown = noted === null ? unknownVariables(tx, page.deltas) : new Set<string>()
  const pageDeps: WriteDeps = {
    ...deps,
    context,
    facts: pullFactsIn(tx, context),
    parents: new Map(),
    unknown,
    inserted: [],
    noted,
    held,
  }
  const written = page.deltas.map((delta) => writeDelta(tx, delta, pageDeps))
  flushInserted(tx, pageDeps)
  noteRestart(tx, noted ?? [])
  const isNewName = page.workspace !== undefined && writeWorkspace(tx, page.workspace)
  if (held.size === 0) keepState(tx, 'feed-cursor', page.cursor)
  return { isChanged: written.includes(true), isNewName }
}

/**
 * Whether the service was restored from a backup since the last page, and remembers its history. A restored service rejects the cursor. While
 * everything is read, there is no cursor: then the page names another history.
 */
function isRestored(tx: Tx, { restarted, history }: PullPage): boolean {
  if (history === undefined) return restarted
  const known = getState(tx, 'feed-history')
  return (keepState(tx, 'feed-history', history) && known !== null) || restarted
}

/** Stores the news about the workspace and the user. Returns whether the name changed. */
function writeWorkspace(tx: Tx, { name, permissions, memberId }: WorkspaceNews): boolean {
  keepState(tx, 'member', memberId ?? null)
  keepState(tx, 'permissions', permissions === undefined ? null : JSON.stringify(permissions))
  return name !== undefined && keepState(tx, 'name', name)
}

/** Stores a value. Returns whether it changed. */
function keepState(tx: Tx, key: StateKey, value: string | null): boolean {
  if (getState(tx, key) === value) return false
  setState(tx, key, value)
  return true
}

interface WriteDeps extends EngineDeps {
  context: EnqueueContext
  facts: Facts
  /** Local ids of parents by their remote ids, as long as rows are only inserted. */
  parents: Map<string, string>
  /** Remote ids of variables that the mirror does not have. */
  unknown: Set<string>
  /** Rows of unknown variables, to be inserted together before anything else is read or written. */
  inserted: BaseRow[]
  /** Collects the base rows that a page changes after the service was restored from a backup; null: it was not. */
  noted: RestartedRow[] | null
  /** Collects the records that are held back. */
  held: Set<string>
}

function unknownVariables(tx: Tx, deltas: readonly Delta[]): Set<string> {
  const shown = deltas.flatMap((delta) => (delta.is === 'row' && delta.row.kind === 'variable' ? [delta.row.remoteId] : []))
  const known = knownRemotely(tx, 'variable', shown)
  return new Set(shown.filter((id) => !known.has(id)))
}

function flushInserted(tx: Tx, { inserted }: WriteDeps): void {
  insertRemotes(tx, inserted.splice(0))
}

/** Writes what a page says of one record. Returns whether it changed anything here. */
function writeDelta(tx: Tx, delta: Delta, deps: WriteDeps): boolean {
  if (delta.is === 'row' && isUntracked(tx, delta, deps)) return false
  if (delta.is === 'row' && delta.row.kind === 'variable' && deps.unknown.delete(delta.row.remoteId))
    return writeUnknown(tx, delta.row, deps)
  flushInserted(tx, deps)
  switch (delta.is) {
    case 'row':
      return writeRow(tx, delta.row, deps)
    case 'deleted':
      return writeDeleted(tx, delta, deps)
    case 'version':
      return writeVersion(tx, delta.version, deps.newId(), false).isChanged
    case 'member':
      return writeMember(tx, delta.member, deps.newId(), false)
    case 'roles': {
      const rows = delta.roles.map((role, place) => ({ ...role, place, permissions: JSON.stringify(role.permissions) }))
      return putRoles(tx, rows)
    }
    case 'tracked':
      return writeTracked(tx, delta)
  }
}

/** Whether the user stopped tracking a name, or its parent, after it was requested. A service without a feed returns every parent first. */
function isUntracked(tx: Tx, { row, tracked }: Extract<Delta, { is: 'row' }>, { port }: EngineDeps): boolean {
  if (tracked !== null && getTracked(tx, tracked) === null) return true
  const kind = parentKind[row.kind]
  return !port.hasFeed && kind !== null && row.parentRemoteId !== null && getBaseByRemote(tx, kind, row.parentRemoteId) === null
}

function writeRow(tx: Tx, row: RemoteRow, deps: WriteDeps): boolean {
  const parentId = localParent(tx, row, deps)
  const before = getBaseByRemote(tx, row.kind, row.remoteId)
  const plan = planRecord(row, parentId, deps.facts, before)
  if (plan === 'held') return hold(before?.id ?? row.remoteId, deps)
  if (!carryOut(tx, plan, deps)) return false
  const rebound = plan.find((step) => step.do === 'rebind')
  if (rebound !== undefined) adoptDescendants(tx, rebound.to, deps)
  deps.noted?.push(...changeBetween(tx, before, getBaseByRemote(tx, row.kind, row.remoteId)))
  return true
}

function hold(id: string, { held }: WriteDeps): false {
  held.add(id)
  return false
}

/** Writes a variable that the mirror does not have. Only a plain insertion can be deferred: no other row of the page depends on it. */
function writeUnknown(tx: Tx, row: RemoteRow, deps: WriteDeps): boolean {
  const plan = planRecord(row, localParent(tx, row, deps), deps.facts, null)
  const only = plan !== 'held' && plan.length === 1 ? plan[0] : undefined
  if (only?.do === 'insert') {
    deps.inserted.push(only.row)
    return true
  }
  flushInserted(tx, deps)
  return writeRow(tx, row, deps)
}

function carryOut(tx: Tx, plan: Exclude<RecordPlan, 'held'>, deps: WriteDeps): boolean {
  if (plan.some((step) => step.do !== 'insert')) deps.parents.clear()
  writeSteps(tx, plan, deps.context)
  return plan.length > 0
}

/** Merges records that arrived below a placeholder, before their parent, with the unsent creates of the same records. */
function adoptDescendants(tx: Tx, parentId: string, deps: WriteDeps): void {
  const { facts } = deps
  for (const child of facts.children(parentId)) {
    const key = naturalKey(child.kind, child.fields)
    const claim = key === null ? null : facts.createClaiming(child.kind, parentId, key)
    if (claim === null || claim.state === 'sending' || facts.changesOf(child.id).length > 0) continue
    writeSteps(tx, [{ do: 'rebind', from: child.id, to: claim.rowId }], deps.context)
    const plan = planRecord({ ...child, parentRemoteId: null }, parentId, facts)
    if (plan !== 'held') carryOut(tx, plan, deps)
    adoptDescendants(tx, claim.rowId, deps)
  }
}

/** Returns the local id of a record's parent. If a feed shows a child first, a placeholder gets that id now, and its fields later. */
function localParent(tx: Tx, row: RemoteRow, deps: WriteDeps): string | null {
  const kind = parentKind[row.kind]
  if (kind === null || row.parentRemoteId === null) return null
  const id =
    deps.parents.get(row.parentRemoteId) ??
    getBaseByRemote(tx, kind, row.parentRemoteId)?.id ??
    addPlaceholder(tx, kind, row.parentRemoteId, deps)
  deps.parents.set(row.parentRemoteId, id)
  return id
}

function addPlaceholder(tx: Tx, kind: RowKind, remoteId: string, deps: WriteDeps): string {
  const id = deps.facts.idFor(kind, remoteId)
  const unseen = { etag: null, createdAt: null, updatedAt: null, updatedBy: null, parentId: null, fields: {} }
  putBase(tx, { id, kind, remoteId, ...unseen })
  refreshRow(tx, id)
  return id
}

function writeDeleted(tx: Tx, { kind, remoteId, by }: Extract<Delta, { is: 'deleted' }>, deps: WriteDeps): boolean {
  if (kind === 'version') {
    const known = getVersionByRemote(tx, remoteId)
    if (known !== null) deleteVersion(tx, known.id, deps.now())
    return known !== null
  }
  if (kind === 'member') {
    const known = getMemberByRemote(tx, remoteId)
    if (known === null) return false
    // A member stays while an operation on it is unanswered; unsent operations are rejected, because the member no longer exists.
    if (operationsOf(tx, known.id).some(({ state }) => state === 'sending')) return hold(known.id, deps)
    deleteMember(tx, known.id)
    return true
  }
  const row = getBaseByRemote(tx, kind, remoteId)
  if (row === null) return false
  if (deps.noted !== null) for (const each of withDescendants(tx, row)) deps.noted.push(...changeBetween(tx, each, null))
  const plan = planDeleted(row, by, deps.facts)
  return plan === 'held' ? hold(row.id, deps) : carryOut(tx, plan, deps)
}
