import { shellNameProblem } from './shell-name-problem.ts'

export interface DotenvEntry {
  name: string
  value: string
}

/** An entry that a .env file cannot carry. */
export class UnwritableEntry extends Error {
  /** Why, to follow its name: tells nothing of the value. */
  readonly why: string
  constructor(name: string, why: string) {
    super(`${JSON.stringify(name)}: ${why}.`)
    this.why = why
  }
}

/**
 * A .env text from which `dotenv` reads exactly these entries, one after the other, with a line
 * feed after each. A value is quoted when it has to be. Throws Error naming the entry, never its
 * value, when the format has no way to write it.
 */
export function formatDotenv(list: readonly DotenvEntry[]): string {
  return list.map((entry) => `${writableName(entry.name)}=${writableValue(entry)}\n`).join('')
}

/**
 * The names whose lines a shell would read differently than `dotenv`, or run as commands, when it sources the text of `formatDotenv`:
 * those that no shell variable can have, and those whose values are not plain, in single quotes without one inside, or in double quotes with
 * nothing that a shell expands.
 */
export function notForShells(list: readonly DotenvEntry[]): string[] {
  const isForShells = (written: string) => isPlain(written) || /^'[^']*'$/.test(written) || /^"[^"$`\\!]*"$/.test(written)
  return list.filter((entry) => shellNameProblem(entry.name) !== null || !isForShells(writableValue(entry))).map(({ name }) => name)
}

// No `~`: a shell puts the home folder in its place, after a colon too. zsh does that with `=` and the path of the command behind it.
const isPlain = (value: string) => /^[\w./:@%+,=-]*$/.test(value) && !/(^|:)=/.test(value)

function writableName(name: string): string {
  if (!/^[\w.-]+$/.test(name)) {
    throw new UnwritableEntry(name, 'a name in a .env file has only letters, digits, dots, dashes and underscores')
  }
  // dotenv collects into a plain object, where this name is no entry.
  if (name === '__proto__') throw new UnwritableEntry(name, 'a .env file can’t hold this name')
  return name
}

function writableValue({ name, value }: DotenvEntry): string {
  if (value.includes('\0')) throw new UnwritableEntry(name, 'its value contains a NUL character, which a .env file can’t hold')
  if (!value.isWellFormed()) throw new UnwritableEntry(name, 'its value isn’t well-formed Unicode')
  const written = spellings.find((spelling) => spelling.carries(value))?.write(value)
  if (written === undefined) {
    throw new UnwritableEntry(
      name,
      'its value mixes quotes, dollar signs, backslashes and line breaks in a way that no quotes in a .env file can hold. Choose the Shell format',
    )
  }
  return written
}

interface Spelling {
  carries(value: string): boolean
  write(value: string): string
}

/**
 * In order of preference. Single quotes come first: no reader expands anything inside them. Double quotes hold no `$` and no backtick: a
 * shell that sources the file would run it.
 */
const spellings: Spelling[] = [
  { carries: isPlain, write: (value) => value },
  quoted("'"),
  {
    carries: (value) => fitsIn('"', escapeReturns(value)) && !/\\[nr]/.test(value) && !/[$`]/.test(value),
    write: (value) => `"${escapeReturns(value)}"`,
  },
  quoted('`'),
  {
    carries: (value) => !/[\r\n\u2028\u2029#]/.test(value) && !/^['"`]/.test(value) && value.trim() === value,
    write: (value) => value,
  },
]

function quoted(quote: string): Spelling {
  return { carries: (value) => !value.includes('\r') && fitsIn(quote, value), write: (value) => quote + value + quote }
}

/**
 * Whether a value can be written between two `quote`s. dotenv takes a quote behind a backslash for a
 * part of the value and keeps both characters, so those may stay, and no backslash may come last.
 */
function fitsIn(quote: string, value: string): boolean {
  return !new RegExp(`(?<!\\\\)${quote}`).test(value) && !value.endsWith('\\')
}

/** A carriage return survives only as an escape, which only double quotes know. */
function escapeReturns(value: string): string {
  return value.replaceAll('\r', '\\r')
}
