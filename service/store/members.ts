import type { Selectable } from 'kysely'
import { v7 as uuid } from 'uuid'
import { errorCodes } from '../protocol/error-codes.ts'
import type { MemberRecord } from '../protocol/records.ts'
import type { RoleId } from '../protocol/roles.ts'
import { roleMay } from '../protocol/roles.ts'
import { etagOf, requireMatch } from './if-match.ts'
import type { IfMatch } from './if-match.ts'
import { lister } from './page.ts'
import { notFound, Refusal, requireRight, taken } from './refusal.ts'
import type { Db } from './store.ts'
import { atNextCommit, newStamps } from './stamps.ts'
import { finderById, prepared } from './store.ts'
import type { MemberTable } from './tables.ts'
import { dropAnswersOf } from './answers.ts'
import { bury } from './tombstones.ts'
import type { Write } from './write.ts'

export type MemberRow = Selectable<MemberTable>

export const memberRecord = (row: MemberRow): MemberRecord => ({
  id: row.id,
  email: row.email,
  status: row.status,
  roleId: row.role_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  updatedBy: row.updated_by,
  etag: etagOf(row.seq),
})

const selectByEmail = prepared<{ folded: string }, MemberRow>((db, arg) =>
  db.selectFrom('members').selectAll().where('workspace_id', '=', arg('workspace')).where('email_folded', '=', arg('folded')),
)
const fold = (email: string): string => email.toLowerCase()

/** The member with this e-mail, letter case aside, or null. */
export const findMemberByEmail = async (db: Db, email: string): Promise<MemberRow | null> => {
  const [row] = await selectByEmail(db, { folded: fold(email) })
  return row ?? null
}

export const listMembers = lister('members', memberRecord)

/** Adds a member. Throws a 409 Refusal when another member has the e-mail. Without an `id` the member gets a new one. */
export const addMember = async (
  write: Write,
  email: string,
  roleId: RoleId,
  status: 'invited' | 'active',
  id: string = uuid(),
): Promise<MemberRow> => {
  const other = await findMemberByEmail(write, email)
  if (other !== null) {
    const what = other.status === 'active' ? 'is already a member of this workspace' : 'has already been invited to this workspace'
    throw taken(`${other.email} ${what}.`, other.id)
  }
  write.use({ records: 1 })
  const row: MemberRow = {
    ...newStamps(write),
    id,
    email,
    email_folded: fold(email),
    status,
    role_id: roleId,
  }
  await write.kysely.insertInto('members').values(row).execute()
  return row
}

/**
 * The role that a member has as this write runs. It may be another one than when their request came: earlier writes have changed members
 * since. Throws a 401 Refusal when they were removed, a 403 when they may not change members any more.
 */
const roleNow = async (write: Write, memberId: string): Promise<RoleId> => {
  const row = await findMember(write, memberId)
  if (row === null) throw new Refusal(errorCodes.unauthorized, 'You were removed from this workspace.')
  requireRight(row.role_id, 'members.write')
  return row.role_id
}

const requireOwnerRight = (actor: RoleId, message: string): void => {
  if (!roleMay(actor, 'owners.write')) throw new Refusal(errorCodes.forbidden, message)
}

const requireAnotherOwner = async (db: Db, member: MemberRow): Promise<void> => {
  const other = await db.kysely
    .selectFrom('members')
    .select('id')
    .where('workspace_id', '=', member.workspace_id)
    .where('role_id', '=', 'owner')
    .where('status', '=', 'active')
    .where('id', '!=', member.id)
    .executeTakeFirst()
  if (other === undefined)
    throw new Refusal(errorCodes.forbidden, 'The last active owner cannot leave or change role. Make somebody else an owner first.')
}

/** The member with this id, or null. */
export const findMember = finderById('members')

const readMember = async (db: Db, id: string): Promise<MemberRow> => {
  const row = await findMember(db, id)
  if (row === null) throw notFound('No member of this workspace has this id. They may have been removed already.')
  return row
}

/** Invites, for the member `by`. Only an owner invites an owner. 403 and 409 Refusals. */
export const inviteMember = async (write: Write, by: string, body: { id?: string; email: string; roleId: RoleId }): Promise<MemberRow> => {
  const actor = await roleNow(write, by)
  if (body.roleId === 'owner') requireOwnerRight(actor, 'Only an owner can invite an owner.')
  return addMember(write, body.email, body.roleId, 'invited', body.id)
}

/** Changes a member's role, for the member `by`. Only an owner makes or changes an owner; the last active owner stays. */
export const updateMember = async (
  write: Write,
  by: string,
  id: string,
  patch: { roleId: RoleId },
  ifMatch: IfMatch,
): Promise<MemberRow> => {
  const actor = await roleNow(write, by)
  const row = await readMember(write, id)
  requireMatch(ifMatch, row.seq)
  if (row.role_id === 'owner' || patch.roleId === 'owner') requireOwnerRight(actor, 'Only an owner can make or change an owner.')
  if (row.role_id === patch.roleId) return row
  if (row.role_id === 'owner' && row.status === 'active') await requireAnotherOwner(write, row)
  const changed = atNextCommit(write, { ...row, role_id: patch.roleId })
  await write.kysely.updateTable('members').set(changed).where('workspace_id', '=', write.workspaceId).where('id', '=', id).execute()
  return changed
}

/** Marks an invited member active: a key was made for them. */
export const activateMember = async (write: Write, row: MemberRow): Promise<void> => {
  if (row.status === 'active') return
  await write.kysely
    .updateTable('members')
    .set({ status: 'active', seq: write.nextSeq(), updated_at: write.at, updated_by: write.by })
    .where('workspace_id', '=', write.workspaceId)
    .where('id', '=', row.id)
    .execute()
}

/** Removes a member and their keys, for the member `by`. Only an owner removes an owner; the last active owner stays. */
export const removeMember = async (write: Write, by: string, id: string, ifMatch: IfMatch): Promise<MemberRow> => {
  const actor = await roleNow(write, by)
  const row = await readMember(write, id)
  requireMatch(ifMatch, row.seq)
  if (row.role_id === 'owner') {
    requireOwnerRight(actor, 'Only an owner can remove an owner.')
    if (row.status === 'active') await requireAnotherOwner(write, row)
  }
  await write.kysely.deleteFrom('keys').where('workspace_id', '=', write.workspaceId).where('member_id', '=', id).execute()
  await dropAnswersOf(write, id)
  await write.kysely.deleteFrom('members').where('workspace_id', '=', write.workspaceId).where('id', '=', id).execute()
  write.use({ records: -1 })
  await bury(write, 'member', [id])
  return row
}
