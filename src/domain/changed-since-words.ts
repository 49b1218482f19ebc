import type { EditedVariable } from '../../electron/bridge/rows.ts'
import { relativeTime } from './relative-time.ts'
import type { ValueSide } from './value-side.ts'

interface ChangedSince {
  story: string
  sides: { label: 'Was' | 'Now'; value: ValueSide | null }[]
}

const shown = (value: string): ValueSide => ({ state: 'shown', value })

const who = ({ updatedBy }: EditedVariable): string => updatedBy ?? 'Someone else'
const when = ({ updatedAt }: EditedVariable, now: number): string => (updatedAt === null ? '' : ` ${relativeTime(updatedAt, now)}`)

/**
 * The message of an editor when others changed the variable being edited. `theirs` null: they deleted it. `isTyped`: the text is another
 * than it was.
 */
export function changedSinceWords(
  field: 'name' | 'value',
  was: ValueSide,
  theirs: EditedVariable | null,
  now: number,
  isTyped = true,
): ChangedSince {
  if (theirs === null)
    return { story: 'This was deleted while you were editing. If you save, you’ll be asked whether to create it again.', sides: [] }
  const is = field === 'name' ? shown(theirs.name) : theirs.value
  const isSame = is.state === 'shown' && was.state === 'shown' && is.value === was.value
  if (isSame)
    return { story: `${who(theirs)} changed other fields of this variable${when(theirs, now)}. Both changes are kept.`, sides: [] }
  return {
    story: `${who(theirs)} changed this ${field}${when(theirs, now)}. ${isTyped ? 'Saving replaces theirs with yours.' : 'You haven’t changed it here, so theirs stays.'}`,
    sides: [
      { label: 'Was', value: was },
      { label: 'Now', value: is },
    ],
  }
}

/** What an editor of a new variable says when others created one of its name meanwhile. `way`: how the user goes on. */
export const cameSinceWords = (theirs: EditedVariable, way: string, now: number): ChangedSince => ({
  story: `${who(theirs)} added ${theirs.name} here${when(theirs, now)}. ${way}`,
  sides: [
    { label: 'Was', value: null },
    { label: 'Now', value: theirs.value },
  ],
})
