import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { CommandName, Commands } from '../../electron/bridge/contract.ts'
import type { ConflictRow } from '../../electron/bridge/rows.ts'
import { decidedWords } from '../domain/conflict-words.ts'
import { access } from './access.svelte.ts'
import { commands } from './commands.svelte.ts'
import { toasts } from './toasts.svelte.ts'

/** Whether the service can restore the row of a conflict, and lets the user do so. Otherwise it would be created again. */
export const mayRestore = ({ subject }: ConflictRow): boolean =>
  (subject === 'project' || subject === 'environment') && access.mayRestore(subject)

/** The command that keeping one's own side comes to, which the service may refuse. */
export const neededToKeep = (conflict: ConflictRow): CommandName | undefined => {
  const { kind, subject } = conflict
  if (kind === 'stale-rollback') return 'versions.rollback'
  if (subject === 'version') return undefined
  if (subject === 'member') return kind === 'changed-remotely' ? 'members.remove' : 'members.set-role'
  if (kind === 'deleted-remotely') return mayRestore(conflict) ? undefined : `${subject}s.create`
  return kind === 'changed-remotely' || kind === 'changed-below' ? `${subject}s.delete` : `${subject}s.update`
}

type Choice = Commands['conflicts.resolve']['args']['choice']

/**
 * Resolves a conflict as the user chose, with a toast that says what was decided; the values that were not taken stay in the value history,
 * where they can be restored. Returns why it was refused, or null.
 */
export const decide = async (bridge: Bridge, workspaceId: string, conflict: ConflictRow, choice: Choice): Promise<string | null> => {
  const refusal = choice.take === 'theirs' ? null : access.refusal(neededToKeep(conflict))
  if (refusal !== null) return refusal
  const { changeId, fingerprint, fields, kind, subject } = conflict
  const result = await bridge.command('conflicts.resolve', { workspaceId, changeId, fingerprint, choice })
  if (!result.ok) return result.error.message
  const isPlaceGivenUp = kind === 'deleted-remotely' && (subject === 'project' || subject === 'environment')
  const keepsValues =
    choice.take === 'theirs' && (isPlaceGivenUp || fields.some(({ field, mine }) => field === 'value' && mine.state !== 'absent'))
  const words = decidedWords(conflict, choice.take, result.value.restored)
  // The history is that of the whole workspace, and names may be in it often.
  const where = keepsValues && conflict.where !== '' ? ` in ${conflict.where}` : ''
  const history = { name: 'Value history', run: () => void commands.run('workspace.history') }
  toasts.say(`${words}${where}`, 'plain', keepsValues ? history : null)
  return null
}
