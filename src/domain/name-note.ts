import { isShellName } from './is-shell-name.ts'
import { nameProblem } from './name-problem.ts'

/** bad: it cannot be saved like this. */
export interface NameNote {
  tone: 'bad' | 'warn' | 'plain'
  text: string
}

/** What is worth knowing about a name while it is typed, or null. `isTaken`: another variable of the environment has it. */
export const nameNote = (typed: string, isTaken: boolean): NameNote | null => {
  const name = typed.trim()
  if (name === '') return null
  const problem = nameProblem(name)
  if (problem !== null) return { tone: 'bad', text: problem }
  if (isTaken) return { tone: 'bad', text: `There is a variable ${name} here already. Choose another name, or edit that one.` }
  if (!isShellName(name))
    return {
      tone: 'warn',
      text: 'Shells take no such name. It can be saved all the same.',
    }
  return typed === name ? null : { tone: 'plain', text: 'The space around the name is left out.' }
}
