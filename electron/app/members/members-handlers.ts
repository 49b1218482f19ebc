import { ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { inSession } from '../workspaces/in-session.ts'
import { inviteMember, removeMember, setRole } from './edit-members.ts'
import { listMembers, listRoles } from './list-members.ts'

type MembersHandlers = Pick<Handlers, 'members.list' | 'roles.list' | 'members.invite' | 'members.set-role' | 'members.remove'>

/** Lists the members of a workspace and the roles. Changes go through the queue. */
export const membersHandlers = (context: AppContext): MembersHandlers => ({
  'members.list': ({ workspaceId }) => inSession(context, workspaceId, (session) => ok(session.mirror.snapshot(listMembers))),
  'roles.list': ({ workspaceId }) => inSession(context, workspaceId, (session) => ok(session.mirror.snapshot(listRoles))),
  'members.invite': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['members'], (tx, editContext) => inviteMember(tx, editContext, input)),
  'members.set-role': ({ workspaceId, ...input }) =>
    edit(context, workspaceId, ['members'], (tx, editContext) => setRole(tx, editContext, input)),
  'members.remove': ({ workspaceId, id }) =>
    edit(context, workspaceId, ['members'], (tx, editContext) => removeMember(tx, editContext, id)),
})
