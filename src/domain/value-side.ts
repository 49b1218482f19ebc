import type { ImportLine, ShownValue } from '../../electron/bridge/rows.ts'

/** One side of a change of value, as far as it may be shown. */
export type ValueSide = { state: 'shown'; value: string } | { state: 'masked' } | { state: 'unreadable' } | { state: 'unverified' }

interface ChangeSides {
  /** undefined: not read yet. null: there is none. */
  was: ValueSide | null | undefined
  is: ValueSide | null
}

/**
 * The value before and after a line of an import; null if it changes no value. `old`: the value that the screen has of the variable.
 * `shows`: the values that may be shown.
 */
export const changeSides = (line: ImportLine, old: ShownValue | undefined, shows: 'all' | 'plain' | 'none'): ChangeSides | null => {
  if (line.status === 'removed') return { was: old, is: null }
  if (line.value === null || (line.status !== 'added' && line.status !== 'changed')) return null
  const is: ValueSide =
    shows === 'none' || (line.isSecret && shows === 'plain') ? { state: 'masked' } : { state: 'shown', value: line.value }
  return { was: line.id === null ? null : old, is }
}
