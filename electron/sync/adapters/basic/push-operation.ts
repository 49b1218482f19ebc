import type { Operation } from '../../../queue/entry.ts'
import type { Outcome, PushItem } from '../../port.ts'
import { outcomeOf } from '../shared/failures.ts'
import { memberRow } from '../shared/remote-rows.ts'
import type { BasicDeps } from './basic-deps.ts'
import { findMember, hasEmail } from './find-member.ts'

/** Sends a rollback, an invitation or a removal (operations 12 to 14). */
export async function pushOperation(deps: BasicDeps, entry: Operation, { member, remoteId }: PushItem): Promise<Outcome> {
  const { remote } = deps
  switch (entry.kind) {
    case 'rollback': {
      if (remoteId === null) return versionMissing
      const done = await remote.rollback(remoteId, { idempotencyKey: entry.id })
      if (!done.ok) return outcomeOf(done.error)
      const { added, updated, removed } = done.value
      return { is: 'confirmed', row: null, counts: { added, updated, removed } }
    }
    case 'invite': {
      const { email, roleId } = entry.detail
      const invited = await remote.inviteMember({ email, roleId }, { idempotencyKey: entry.id })
      if (invited.ok) return { is: 'confirmed', row: null, member: memberRow(invited.value) }
      if (invited.error.kind !== 'taken') return outcomeOf(invited.error)
      const holder = await findMember(deps, hasEmail(email))
      return { is: 'taken', holder: null, member: (holder.ok ? holder.value : null) ?? null, message: invited.error.message }
    }
    case 'remove': {
      if (member === null) return removed
      const sent = await remote.removeMember(member.remoteId)
      return sent.ok ? removed : outcomeOf(sent.error)
    }
    default:
      throw new Error('an operation was sent that the service has no way for')
  }
}

const removed: Outcome = { is: 'confirmed', row: null }
const versionMissing: Outcome = { is: 'missing', what: 'record', message: 'This version doesn’t exist on the service.' }
