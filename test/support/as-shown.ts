import type { Handlers } from '../../electron/app/handlers.ts'
import type { Commands } from '../../electron/bridge/contract.ts'
import { workspaceId } from './desk.ts'

/** What a command gives as `seen` whose user looks at everything as it is now. */
export const asShown = Number.MAX_SAFE_INTEGER

/** Rows of a list that is up to date. */
export const rowsAsShown = (ids: readonly string[]): { id: string; seen: number }[] => ids.map((id) => ({ id, seen: asShown }))

type Resolve = Pick<Handlers, 'conflicts.show' | 'conflicts.resolve'>

/** Chooses in a conflict as somebody who looks at it now. */
export async function resolveAsShown(
  handlers: Resolve,
  args: Omit<Commands['conflicts.resolve']['args'], 'workspaceId' | 'fingerprint'>,
): ReturnType<Resolve['conflicts.resolve']> {
  const shown = await handlers['conflicts.show']({ workspaceId, changeId: args.changeId, reveal: false })
  const fingerprint = shown.ok ? shown.value.fingerprint : ''
  return handlers['conflicts.resolve']({ workspaceId, fingerprint, ...args })
}
