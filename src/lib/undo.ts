import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Queries } from '../../electron/bridge/contract.ts'
import { shortPath } from '../domain/short-path.ts'
import { keysOf } from './commands.svelte.ts'
import { journey } from './journey.svelte.ts'
import { toasts, type ToastAction } from './toasts.svelte.ts'

type Direction = 'undo' | 'redo'

/** `step`: only this one. */
const takeStep = (bridge: Bridge, workspaceId: string, direction: Direction, step?: string) =>
  bridge.command(direction === 'undo' ? 'undo.undo' : 'undo.redo', { workspaceId, ...(step !== undefined && { step }) })

type IsShown = (placeId: string) => boolean

type Taken = Awaited<ReturnType<typeof takeStep>>

/**
 * Undoes or redoes the last edit in a workspace, with a toast that names it and offers the opposite. A step that changes nothing any more,
 * because a rollback or another person has undone it, is passed over. The toast says where, unless that project or environment `isShown`.
 */
export const undo = async (bridge: Bridge, workspaceId: string, direction: Direction, isShown: IsShown = () => true): Promise<void> => {
  let taken = await takeStep(bridge, workspaceId, direction)
  while (taken.ok && taken.value.isIdle) taken = await takeStep(bridge, workspaceId, direction)
  await tell(bridge, workspaceId, direction, taken, isShown)
}

async function tell(
  bridge: Bridge,
  workspaceId: string,
  direction: Direction,
  result: Taken,
  isShown: IsShown = () => true,
): Promise<void> {
  if (!result.ok && result.error.kind === 'rolled-back') {
    const { message, environmentId } = result.error
    const run = () => journey.go({ workspaceId, projectId: null, environmentId, variable: null, screen: 'versions' })
    return toasts.say(message, 'plain', { name: 'Versions', run })
  }
  if (!result.ok) return toasts.say(result.error.message, result.error.kind === 'not-found' ? 'plain' : 'bad')
  const { label, isIdle, place } = result.value
  if (isIdle) return toasts.say(`Already ${direction === 'undo' ? 'undone' : 'redone'}: ${label}`)
  const notice = 'notice' in result.value ? `. ${result.value.notice}` : ''
  const where = place === undefined || isShown(place.id) ? '' : ` in ${shortPath(place.path)}`
  const [done, opposite] = direction === 'undo' ? (['Undone', 'redo'] as const) : (['Redone', 'undo'] as const)
  // The label first: a toast cuts off its end.
  toasts.say(`${done}: ${label}${where}${notice}`, 'plain', stepAction(bridge, workspaceId, opposite, result, isShown))
}

/**
 * A button that undoes the edit that a command made, by its answer, and no other: pressed after further edits, it says so instead. Null if
 * the command made none.
 */
export const undoAction = (bridge: Bridge, workspaceId: string, made: { step?: string }): ToastAction | null =>
  stepAction(bridge, workspaceId, 'undo', made)

function stepAction(
  bridge: Bridge,
  workspaceId: string,
  direction: Direction,
  { step }: { step?: string },
  isShown?: IsShown,
): ToastAction | null {
  if (step === undefined) return null
  const run = async () => {
    const taken = await takeStep(bridge, workspaceId, direction, step)
    if (taken.ok || taken.error.kind !== 'not-found') await tell(bridge, workspaceId, direction, taken, isShown)
    else toasts.say(`You’ve made other changes since. ${stepWords[direction]} step by step with ${keysOf(`edit.${direction}`)}.`)
  }
  return { name: stepWords[direction], run: () => void run(), step: `${direction} ${step}` }
}

/** The steps that can be taken next, as `ToastAction.step` names them. */
export const nextSteps = ({ steps }: Queries['undo.status']['value']): string[] =>
  (['undo', 'redo'] as const).flatMap((direction) => (steps[direction] === null ? [] : [`${direction} ${steps[direction]}`]))

const stepWords = { undo: 'Undo', redo: 'Redo' } as const
