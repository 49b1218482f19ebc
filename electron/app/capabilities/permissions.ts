import { z } from 'zod'
import type { AppError } from '../../bridge/app-error.ts'
import type { CommandName } from '../../bridge/contract.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getState } from '../../mirror/workspace-state.ts'
import { readProfile } from './keep-profile.ts'

const texts = z.array(z.string())

/** What the service lets the user do, in its words; null: it does not say. */
function readPermissions(tx: Tx): readonly string[] | null {
  const text = getState(tx, 'permissions')
  // Only a service with the change feed says it: what another one said at this address before is out of date.
  return text === null || readProfile(tx)?.kind === 'basic' ? null : texts.parse(JSON.parse(text))
}

/** Whether the service is known to let the user change nothing. */
export const isViewOnly = (tx: Tx): boolean => readPermissions(tx)?.every((one) => one === 'read') === true

/** The permission that the service will ask for when it is sent what a command queues. */
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
} as const satisfies Partial<Record<CommandName, string>>

/** Whether a command queues what the service may refuse for want of a permission. */
export const needsPermission = (command: string): command is keyof typeof needed => Object.hasOwn(needed, command)

/** Why a command queues nothing: the service is known to refuse it. Null: it may be sent. */
export function refusalFor(tx: Tx, command: keyof typeof needed): AppError | null {
  if (readPermissions(tx)?.includes(needed[command]) !== false) return null
  const message = isViewOnly(tx)
    ? 'You can only view this workspace. Ask an owner or admin to make you an editor.'
    : 'Your role in this workspace doesn’t allow this. Ask an owner or admin.'
  return { kind: 'refused', message, status: 403 }
}
