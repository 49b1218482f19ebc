import type { MembersTable, RolesTable } from './schema.ts'
import { rebindEntries } from './queue-layer.ts'
import { build, type Tx } from './tx.ts'

export type MemberColumns = MembersTable

/** Returns the members as the service last showed them, by e-mail. */
export const allMembers = (tx: Tx): MemberColumns[] => tx.all(build.selectFrom('members').selectAll().orderBy('email').orderBy('id'))

export const getMember = (tx: Tx, id: string): MemberColumns | null =>
  tx.get(build.selectFrom('members').selectAll().where('id', '=', id)) ?? null

export const getMemberByRemote = (tx: Tx, remoteId: string): MemberColumns | null =>
  tx.get(build.selectFrom('members').selectAll().where('remote_id', '=', remoteId)) ?? null

/** Writes the member, new or not. */
export function putMember(tx: Tx, member: MemberColumns): void {
  tx.run(
    build
      .insertInto('members')
      .values(member)
      .onConflict((conflict) => conflict.column('id').doUpdateSet(member)),
  )
}

/** Gives a member another local id: that of the invitation that created it. */
export function rebindMember(tx: Tx, from: string, to: string): void {
  tx.run(build.updateTable('members').set({ id: to }).where('id', '=', from))
  rebindEntries(tx, from, to)
}

export function deleteMember(tx: Tx, id: string): void {
  tx.run(build.deleteFrom('members').where('id', '=', id))
}

/** The roles in the service's order. */
export const allRoles = (tx: Tx): RolesTable[] => tx.all(build.selectFrom('roles').selectAll().orderBy('place'))

/** Replaces the roles; returns whether that changed anything. */
export function putRoles(tx: Tx, roles: readonly RolesTable[]): boolean {
  if (JSON.stringify(allRoles(tx)) === JSON.stringify(roles)) return false
  tx.run(build.deleteFrom('roles'))
  for (const role of roles) tx.run(build.insertInto('roles').values(role))
  return true
}
