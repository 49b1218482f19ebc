import { ok, type Result } from '../../../bridge/result.ts'
import type { ChangeInput } from '../../../../service/protocol/changes.ts'
import { isChange, isOperation } from '../../../queue/entry.ts'
import { changedFields } from '../../../queue/fields.ts'
import type { ChangeAnswer, Remote, RemoteError } from '../../../remote/remote.ts'
import type { Delta, Failure, Outcome, PushItem, Reconciled } from '../../port.ts'
import { everyPage } from '../shared/every-page.ts'
import { failed, failureOf, isTooLarge, outcomeOf, outcomeOfUnsent } from '../shared/failures.ts'
import type { Adapter } from '../shared/adapter.ts'
import { inTurns } from '../shared/in-turns.ts'
import { readVersion } from '../shared/read-version.ts'
import { partsOf, weightOfRecord } from '../shared/remote-rows.ts'
import type { Accept, SealFields } from '../shared/value-rules.ts'
import { changeOf, recordIdOf } from './change-of.ts'
import { pullFeed } from './pull-feed.ts'

interface Deps {
  remote: Remote
  accept: Accept
  seal: SealFields
}

/**
 * The adapter for a service with the change feed: `GET /changes`, `POST /changes` and `GET /records`. No request has an Idempotency-Key:
 * creates name the id of their record, updates and deletions the ETag they are based on, so nothing can be done twice.
 */
export function createFullAdapter(remote: Remote, accept: Accept, seal: SealFields): Adapter {
  const deps = { remote, accept, seal }
  let hasRoles = false

  /** The feed has no roles, so they are read once. */
  async function readRoles(): Promise<Delta[]> {
    const listed = await everyPage((cursor) => remote.listRoles(cursor))
    hasRoles = listed.ok
    return listed.ok ? [{ is: 'roles', roles: listed.value }] : []
  }

  return {
    hasFeed: true,
    batch: { entries: mostChanges, joinsLanes: true },
    limitOf: () => null,

    async *pull(cursor, known) {
      const roles = hasRoles ? [] : await readRoles()
      let isFirst = true
      for await (const page of pullFeed(remote, accept, cursor, known)) {
        yield page.ok && isFirst ? ok({ ...page.value, deltas: [...roles, ...page.value.deltas] }) : page
        isFirst = false
      }
    },
    push: (items) => push(deps, items),
    reconcile: (item) => reconcile(deps, item),
    readVersion: (remoteId) => readVersion(remote, accept, remoteId),
  }
}

/**
 * Sends changes in as few requests as the service takes, in order. A request that is too large is sent again in smaller ones, so that only a
 * change that is too large by itself is refused.
 */
async function push(deps: Deps, items: readonly PushItem[]): Promise<Outcome[]> {
  const outcomes = new Map<PushItem, Outcome>()
  let unsent: Unsent[] = []
  for (const item of items) {
    const outcome = isUnguarded(item) ? await outcomeOfRead(deps, item) : outcomeOfRole(item)
    const made = changeOf(item, deps.seal)
    if (outcome !== null) outcomes.set(item, outcome)
    else if (!made.ok) outcomes.set(item, made.error)
    else unsent.push({ item, change: made.value, bytes: Buffer.byteLength(JSON.stringify(made.value)) })
  }
  let most = mostBytes
  while (unsent.length > 0) {
    const request = firstWithin(unsent, most)
    const pushed = await deps.remote.pushChanges(request.map(({ change }) => change))
    if (!pushed.ok && isTooLarge(pushed.error) && request.length > 1) {
      most = request.reduce((sum, { bytes }) => sum + bytes, 0) / 2
      continue
    }
    unsent = unsent.slice(request.length)
    if (pushed.ok) {
      const answers = request.flatMap(({ item }, index) => {
        const answer = pushed.value[index]
        return answer === undefined ? [] : [{ item, answer }]
      })
      const weigh = ({ answer }: { answer: ChangeAnswer }) => weightOfRecord(answer.record)
      await inTurns(answers, weigh, ({ item, answer }) => outcomes.set(item, outcomeOfAnswer(item, answer, deps.accept)))
      continue
    }
    const outcome = outcomeOfAll(pushed.error)
    for (const { item } of request) outcomes.set(item, outcome)
    if (outcome.is === 'refused') continue
    // Later changes may depend on those that were not done.
    const notSent: Outcome = { is: 'unsent', failure: failureOf(pushed.error) }
    return items.map((item) => outcomes.get(item) ?? notSent)
  }
  return items.flatMap((item) => outcomes.get(item) ?? [])
}

/**
 * Reads a record without an ETag: only that shows whether others changed it. Returns the outcome if they did, or if the record now has an
 * ETag; null: the change may be sent.
 */
async function outcomeOfRead({ remote, accept }: Deps, { entry, base }: PushItem): Promise<Outcome | null> {
  if (base === null) return null
  const read = await remote.getRecord(base.kind, base.remoteId)
  if (!read.ok && read.error.kind !== 'missing') return { is: 'unsent', failure: failureOf(read.error) }
  const { row } = partsOf(read.ok ? read.value : null, accept)
  if (row === null) return entry.kind === 'delete' ? { is: 'confirmed', row: null } : { is: 'stale', current: null }
  const isSame = row.etag === null && Object.keys(changedFields(base.fields, row.fields)).length === 0
  return isSame ? null : { is: 'stale', current: row }
}

async function reconcile({ remote, accept }: Deps, item: PushItem): Promise<Result<Reconciled, Failure>> {
  const { entry } = item
  const id = recordIdOf(item)
  // A rollback can be sent again: if it was done, it changed the environment, so the service refuses the same `seen`.
  if (entry.kind === 'rollback') return ok({ is: 'undone' })
  const read = id === null ? null : await remote.getRecord(entry.rowKind, id)
  if (read?.ok === false && read.error.kind !== 'missing') return failed(read.error)
  const { row, version, member } = partsOf(read?.ok === true ? read.value : null, accept)
  if (!isOperation(entry)) return ok({ is: 'row', row, holder: null })
  if (entry.kind === 'remove') return ok({ is: member === null ? 'done' : 'undone' })
  if (version !== null) return ok({ is: 'done', version })
  const isDone = member !== null && 'roleId' in entry.detail && member.roleId === entry.detail.roleId
  return ok(isDone ? { is: 'done', member } : { is: 'undone' })
}

/** The outcome of an entry by the answer to its change. */
function outcomeOfAnswer({ entry, seen }: PushItem, answer: ChangeAnswer, accept: Accept): Outcome {
  const { row, version, member } = partsOf(answer.record, accept)
  if (answer.status === 'done') {
    return {
      is: 'confirmed',
      row,
      ...(version === null ? {} : { version }),
      ...(member === null ? {} : { member }),
      ...(answer.counts === null ? {} : { counts: answer.counts }),
    }
  }
  const { error, missing } = answer
  if (error.kind === 'stale') {
    // With `seen` the service compared everything below the record, without it only the record.
    if (seen !== null && (entry.kind === 'delete' || entry.kind === 'rollback')) return { is: 'changed-below' }
    return isOperation(entry) ? { is: 'stale', current: null, member } : { is: 'stale', current: row }
  }
  if (error.kind === 'taken') return { is: 'taken', holder: row, ...(member === null ? {} : { member }), message: error.message }
  if (error.kind === 'missing') return { is: 'missing', what: missing ?? 'record', message: error.message }
  return outcomeOf(error)
}

/** The outcome of every change of a request that failed as a whole. */
function outcomeOfAll(error: RemoteError): Outcome {
  return error.outcome === 'unknown' ? { is: 'unknown', failure: failureOf(error) } : outcomeOfUnsent(error)
}

/** Whether a change of a record doesn't name the state it is based on. */
const isUnguarded = ({ entry, base, seen }: PushItem): boolean =>
  isChange(entry) && entry.kind !== 'create' && base !== null && base.etag === null && seen === null

/**
 * Returns `stale` if the member's role has changed since the user chose another one: with the new ETag the service would overwrite it. A role
 * that the member has here already is sent all the same: it may take back an earlier one of this user.
 */
function outcomeOfRole({ entry, member }: PushItem): Outcome | null {
  if (entry.kind !== 'set-role' || member === null) return null
  const { base, roleId } = entry.detail
  return member.roleId === base || member.roleId === roleId ? null : { is: 'stale', current: null, member }
}

/** The most changes that the service takes in one request. */
const mostChanges = 200
/** A request may have 5 MiB. A proxy in front of the service may take less: see `push`. */
const mostBytes = 4 * 1024 * 1024

interface Unsent {
  item: PushItem
  change: ChangeInput
  bytes: number
}

/** Returns the changes of the next request: the first ones that together have at most `most` bytes, and always one. */
function firstWithin(changes: readonly Unsent[], most: number): Unsent[] {
  let bytes = 0
  const end = changes.findIndex((change, index) => (bytes += change.bytes) > most && index > 0)
  return changes.slice(0, Math.min(end < 0 ? changes.length : end, mostChanges))
}
