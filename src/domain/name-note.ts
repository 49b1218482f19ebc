import { isShellName } from '../../electron/transfer/shell-name-problem.ts'
import { variableNameProblem } from '../../service/protocol/names.ts'
import { invisibleCharacter } from './invisible-character.ts'

/** bad: it cannot be saved like this. */
export interface NameNote {
  tone: 'bad' | 'warn' | 'plain'
  text: string
}

/** The warning about a name while it is typed, or null. `isTaken`: another variable of the environment has it. */
export const nameNote = (typed: string, isTaken: boolean): NameNote | null => {
  const name = typed.trim()
  if (name === '') return null
  const problem = variableNameProblem(name)
  if (problem !== null) return { tone: 'bad', text: problem }
  if (isTaken) return { tone: 'bad', text: `${name} already exists here. Choose another name, or edit that variable.` }
  const invisible = invisibleCharacter(name)
  if (invisible !== null) return { tone: 'warn', text: `The name contains an invisible character (${invisible}). You can still save it.` }
  if (!isShellName(name))
    return {
      tone: 'warn',
      text: 'Not a valid shell variable name. You can still save it.',
    }
  return typed === name ? null : { tone: 'plain', text: 'Spaces around the name are removed.' }
}
