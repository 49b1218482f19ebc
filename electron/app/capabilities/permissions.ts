import { z } from 'zod'
import type { AppError } from '../../bridge/app-error.ts'
import type { CommandName, Commands } from '../../bridge/contract.ts'
import { getMember } from '../../mirror/members-layer.ts'
import { getDeleted } from '../../mirror/deleted-layer.ts'
import { operationsOf } from '../../mirror/queue-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState } from '../../mirror/workspace-state.ts'
import type { Operation } from '../../queue/entry.ts'
import { isNeverSent } from '../edits/is-never-sent.ts'
import { readProfile } from './keep-profile.ts'

const texts = z.array(z.string())

/** Returns the user's permissions, in the service's words; null: it does not send them. */
function readPermissions(tx: Tx): readonly string[] | null {
  const text = getState(tx, 'permissions')
  // Only a full service sends permissions. If this one is basic now, an earlier service at this address sent them.
  return text === null || readProfile(tx)?.kind === 'basic' ? null : texts.parse(JSON.parse(text))
}

/** Whether the service is known to let the user change nothing. */
export const isViewOnly = (tx: Tx): boolean => readPermissions(tx)?.every((one) => one === 'read') === true

/** The permission that each command needs on the service. */
const needed = {
  'projects.create': 'projects.write',
  'projects.update': 'projects.write',
  'projects.delete': 'projects.delete',
  'projects.add-sample': 'projects.write',
  'environments.create': 'environments.write',
  'environments.update': 'environments.write',
  'environments.delete': 'environments.delete',
  'variables.create': 'variables.write',
  'variables.update': 'variables.write',
  'references.rename': 'variables.write',
  'variables.delete': 'variables.write',
  'variables.update-many': 'variables.write',
  'variables.copy-to': 'variables.write',
  'variables.duplicate': 'variables.write',
  'compare.copy': 'variables.write',
  'import.apply': 'variables.write',
  'history.restore': 'variables.write',
  'queue.apply': 'variables.write',
  'unverified.accept': 'variables.write',
  'unverified.restore': 'variables.write',
  'unverified.bind': 'variables.write',
  'versions.create': 'versions.write',
  'versions.rollback': 'versions.write',
  'members.invite': 'members.write',
  'members.set-role': 'members.write',
  'members.remove': 'members.write',
  'workspaces.rename': 'workspace.write',
  'restart.resend': 'variables.write',
  'deleted.restore': 'environments.delete',
} as const satisfies Partial<Record<CommandName, string>>

type Needing = keyof typeof needed

export const needsPermission = (command: string): command is Needing => Object.hasOwn(needed, command)

/** Returns one sentence for each command that the service is known to refuse. All other commands may run. */
export function refusals(tx: Tx): Partial<Record<CommandName, string>> {
  const permissions = readPermissions(tx)
  if (permissions === null) return {}
  const message = isViewOnly(tx)
    ? 'You can only view this workspace. Ask an owner or admin to make you an editor.'
    : 'Your role in this workspace doesn’t allow this. Ask an owner or admin.'
  return Object.fromEntries(
    Object.entries(needed).flatMap(([command, permission]) => (permissions.includes(permission) ? [] : [[command, message]])),
  )
}

/** Returns why this call is refused; null: it may run. `args`: as the schema of the command has parsed them. */
export function refusalFor(tx: Tx, command: Needing, args: unknown): AppError | null {
  const message = refusals(tx)[command]
  if (message === undefined) return null
  // The cast holds because the schema of this command parsed the arguments.
  const isOwn = ownCalls[command] as ((tx: Tx, args: unknown) => boolean) | undefined
  return isOwn?.(tx, args) === true ? null : { kind: 'refused', message, status: 403 }
}

/** Whether a call is only about data that this computer alone has, so that the service has nothing to refuse. */
const ownCalls: { [Name in Needing]?: (tx: Tx, args: Commands[Name]['args']) => boolean } = {
  'projects.delete': (tx, { id }) => isNeverSent(tx, id),
  'environments.delete': (tx, { id }) => isNeverSent(tx, id),
  'variables.delete': (tx, { rows }) => rows.every(({ id }) => isNeverSent(tx, id)),
  'members.remove': (tx, { id }) => getMember(tx, id) === null && operationsOf(tx, id).some(isUnsentInvitation),
  'deleted.restore': (tx, { id, from }) => {
    const kind = getDeleted(tx, id)?.kind
    // Restoring from the mirror creates it again.
    return from === 'mirror' && (kind === undefined || refusals(tx)[`${kind}s.create`] === undefined)
  },
}

/** Not an invitation in conflict: it met an existing member, and removing that member needs a permission. */
const isUnsentInvitation = ({ kind, state }: Operation): boolean => kind === 'invite' && state !== 'sending' && state !== 'conflict'
