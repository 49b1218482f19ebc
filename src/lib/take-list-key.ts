import { commandIds, isKeyOf } from '../domain/commands.ts'
import { walkList } from '../domain/walk-list.ts'
import type { CommandRuns } from './commands.svelte.ts'
import { takeKey } from './take-key.ts'

interface List {
  /** The row that has the keyboard, from 0. */
  at: number
  total: number
  /** How many rows are seen at once. */
  page: number
  go: (index: number) => void
  /** The actions that the list offers now. */
  runs: CommandRuns
}

/**
 * Handles a key in a list: moves to another row, or runs a command by the keys that menus and the list of shortcuts show.
 * Such a key goes no further.
 */
export const takeListKey = (event: KeyboardEvent, { at, total, page, go, runs }: List): void =>
  takeKey(event, () => {
    const isCommand = event.ctrlKey || event.metaKey
    const isStep = !event.altKey && (!isCommand || event.key === 'Home' || event.key === 'End')
    const next = isStep ? walkList(at, event.key, total, page) : null
    if (next !== null) {
      go(next)
      return true
    }
    const run = commandIds
      .filter((id) => isKeyOf(id, event))
      .map((id) => runs[id])
      .find((one) => one !== undefined)
    run?.()
    return run !== undefined
  })
