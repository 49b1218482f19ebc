import { ok, type Result } from '../../../bridge/result.ts'
import { isOperation, type Operation } from '../../../queue/entry.ts'
import { naturalKey } from '../../../queue/natural-key.ts'
import type { Failure, PushItem, Reconciled } from '../../port.ts'
import { failed } from '../shared/failures.ts'
import type { BasicDeps, RowItem } from './basic-deps.ts'
import { findMember, hasEmail } from './find-member.ts'
import { wantedOf } from './push-rows.ts'

type Answer = Promise<Result<Reconciled, Failure>>

/** Finds out what a request with a lost answer did: reads the record by its keys, or a member from the list if there is one. */
export function reconcile(deps: BasicDeps, item: PushItem): Answer {
  const { entry } = item
  if (isOperation(entry)) return reconcileOperation(deps, entry, item)
  return entry.kind === 'create' ? reconcileCreate(deps, { ...item, entry }) : reconcileRow(deps, { ...item, entry })
}

async function reconcileRow({ reader }: BasicDeps, item: RowItem): Answer {
  const { entry, base, parent } = item
  if (base === null) return ok({ is: 'row', row: null, holder: null })
  const found = await reader.find(entry.rowKind, parent, [wantedOf(entry, base)])
  if (!found.ok) return failed(found.error)
  return found.value === null ? parentMoved : ok({ is: 'row', row: found.value.get(base.remoteId) ?? null, holder: null })
}

/** A record that a create made can only be found by its key. */
async function reconcileCreate({ reader }: BasicDeps, { entry, parent }: RowItem): Answer {
  const key = naturalKey(entry.rowKind, entry.patch)
  if (key === null) return ok({ is: 'row', row: null, holder: null })
  const read = await reader.read(entry.rowKind, parent, key)
  if (!read.ok && read.error.kind !== 'missing') return failed(read.error)
  if (read.ok && read.value.parentRemoteId === (parent?.remoteId ?? null)) return ok({ is: 'row', row: null, holder: read.value })
  const atPath = await reader.hasPath(parent)
  if (!atPath.ok) return failed(atPath.error)
  return atPath.value ? ok({ is: 'row', row: null, holder: null }) : parentMoved
}

/** The next pull shows the parent's new path, or that it is deleted. */
const parentMoved: Result<never, Failure> = {
  ok: false,
  error: { kind: 'failed', message: 'Its parent was renamed or deleted on the service. Sync will check again.', retryAfterMs: null },
}

async function reconcileOperation(deps: BasicDeps, entry: Operation, { member }: PushItem): Answer {
  switch (entry.kind) {
    case 'invite': {
      const { email, roleId } = entry.detail
      const found = await findMember(deps, hasEmail(email))
      if (!found.ok) return failed(found.error)
      if (found.value === undefined) return ok({ is: 'unknowable', message: unknownInvite })
      return ok(found.value?.roleId === roleId ? { is: 'done', member: found.value } : { is: 'undone' })
    }
    case 'remove': {
      const found = await findMember(deps, ({ remoteId }) => remoteId === member?.remoteId)
      if (!found.ok) return failed(found.error)
      // Without a list the removal is sent again: removing a member twice does no harm.
      return ok({ is: found.value === null ? 'done' : 'undone' })
    }
    case 'set-role': {
      const found = await findMember(deps, ({ remoteId }) => remoteId === member?.remoteId)
      if (!found.ok) return failed(found.error)
      // The service could set roles when it was sent.
      if (found.value === undefined) return unknownRole
      return ok(found.value?.roleId === entry.detail.roleId ? { is: 'done', member: found.value } : { is: 'undone' })
    }
    case 'snapshot':
      return ok({ is: 'unknowable', message: unknownSnapshot })
    case 'rollback':
      // The engine reads the environment instead.
      return ok({ is: 'undone' })
  }
}

const unknownRole: Result<never, Failure> = {
  ok: false,
  error: {
    kind: 'refused',
    message:
      'It’s unknown whether this role was set: the answer was lost, and this service can’t list members. Check there, then try again or discard it.',
    retryAfterMs: null,
  },
}
const unknownInvite =
  'It’s unknown whether this invitation was sent: the answer was lost, and this service can’t list members. Check there, then try again or discard it.'
const unknownSnapshot =
  'It’s unknown whether this version was created: the answer was lost. Check the service, then try again or discard it.'
