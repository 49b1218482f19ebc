import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Queries } from '../../electron/bridge/contract.ts'
import { keysOf } from './commands.svelte.ts'
import { journey } from './journey.svelte.ts'
import { toasts, type ToastAction } from './toasts.svelte.ts'

type Direction = 'undo' | 'redo'

const takeStep = (bridge: Bridge, workspaceId: string, direction: Direction) =>
  bridge.command(direction === 'undo' ? 'undo.undo' : 'undo.redo', { workspaceId })

type Taken = Awaited<ReturnType<typeof takeStep>>

/**
 * Undoes or redoes the last edit in a workspace, with a toast that names it and offers the opposite. A step that changes nothing any more,
 * because a rollback or another person has undone it, is passed over. The toast says where, unless that environment `isShown`.
 */
export const undo = async (
  bridge: Bridge,
  workspaceId: string,
  direction: Direction,
  isShown: (environmentId: string) => boolean = () => true,
): Promise<void> => {
  let taken = await takeStep(bridge, workspaceId, direction)
  while (taken.ok && taken.value.isIdle) taken = await takeStep(bridge, workspaceId, direction)
  await tell(bridge, workspaceId, direction, taken, isShown)
}

async function tell(
  bridge: Bridge,
  workspaceId: string,
  direction: Direction,
  result: Taken,
  isShown: (environmentId: string) => boolean = () => true,
): Promise<void> {
  if (!result.ok && result.error.kind === 'rolled-back') {
    const { message, environmentId } = result.error
    const run = () => journey.go({ workspaceId, projectId: null, environmentId, variable: null, screen: 'versions' })
    return toasts.say(message, 'plain', { name: 'Versions', run })
  }
  if (!result.ok) return toasts.say(result.error.message, result.error.kind === 'not-found' ? 'plain' : 'bad')
  const { label, isIdle, environment } = result.value
  if (isIdle) return toasts.say(`Already ${direction === 'undo' ? 'undone' : 'redone'}: ${label}`)
  const notice = 'notice' in result.value ? `. ${result.value.notice}` : ''
  const where = environment === undefined || isShown(environment.id) ? '' : ` in ${environment.name}`
  if (direction === 'undo') toasts.say(`Undone${where}: ${label}${notice}`, 'plain', await stepAction(bridge, workspaceId, 'redo'))
  else toasts.say(`Redone${where}: ${label}`, 'plain', await stepAction(bridge, workspaceId, 'undo'))
}

/**
 * A button that undoes the edit that was just made, and no other: pressed after further edits, it says so instead.
 * Null when that edit cannot be undone.
 */
export const undoAction = (bridge: Bridge, workspaceId: string): Promise<ToastAction | null> => stepAction(bridge, workspaceId, 'undo')

async function stepAction(bridge: Bridge, workspaceId: string, direction: Direction): Promise<ToastAction | null> {
  const status = await bridge.query('undo.status', { workspaceId })
  const label = status.ok ? status.value[direction] : null
  if (label === null) return null
  const run = async () => {
    const now = await bridge.query('undo.status', { workspaceId })
    if (now.ok && now.value[direction] === label) await tell(bridge, workspaceId, direction, await takeStep(bridge, workspaceId, direction))
    else toasts.say(`You’ve made other changes since. ${stepWords[direction]} step by step with ${keysOf(`edit.${direction}`)}.`)
  }
  return { name: stepWords[direction], run: () => void run(), step: stepName(direction, label) }
}

const stepName = (direction: Direction, label: string) => `${direction} ${label}`

/** The steps that can be taken next, as `ToastAction.step` names them. */
export const nextSteps = (status: Queries['undo.status']['value']): string[] =>
  (['undo', 'redo'] as const).flatMap((direction) => {
    const label = status[direction]
    return label === null ? [] : [stepName(direction, label)]
  })

const stepWords = { undo: 'Undo', redo: 'Redo' } as const
