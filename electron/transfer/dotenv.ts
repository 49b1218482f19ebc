import { parseEnv } from 'node:util'
import { parse } from 'dotenv'
import { shellNameProblem } from './shell-name-problem.ts'

export interface DotenvEntry {
  name: string
  value: string
}

/** An entry that a .env file cannot carry. */
export class UnwritableEntry extends Error {
  /** Why: the second half of a sentence that begins with the name. Tells nothing of the value. */
  readonly why: string
  constructor(name: string, why: string) {
    super(`${JSON.stringify(name)}: ${why}.`)
    this.why = why
  }
}

/**
 * Returns a .env text from which `dotenv` reads exactly these entries, in order, each with a line feed. A value is quoted only if it must
 * be. Throws if the format can't hold an entry; the error names the entry, never its value.
 */
export function formatDotenv(list: readonly DotenvEntry[]): string {
  return list.map((entry) => `${writableName(entry.name)}=${writableValue(entry)}\n`).join('')
}

/**
 * Returns the names whose lines a shell would read differently than `dotenv`, or run as commands, if it sources the text of `formatDotenv`.
 * These are the names that no shell variable can have. They are also the names of values that are neither plain, nor in single quotes
 * without one inside, nor in double quotes with nothing that a shell expands.
 */
export function notForShells(list: readonly DotenvEntry[]): string[] {
  const isForShells = (written: string) => isPlain(written) || /^'[^']*'$/.test(written) || /^"[^"$`\\!]*"$/.test(written)
  return list.filter((entry) => shellNameProblem(entry.name) !== null || !isForShells(writableValue(entry))).map(({ name }) => name)
}

/**
 * Returns the names whose values Node's `--env-file` would read differently than `dotenv`. It doesn't know the escape `\r`, and ends a value
 * at a quote even after a backslash.
 */
export function notForNode(list: readonly DotenvEntry[]): string[] {
  return list.filter((entry) => parseEnv(formatDotenv([entry]))[entry.name] !== entry.value).map(({ name }) => name)
}

/**
 * Returns the names whose values Docker Compose or python-dotenv would read differently than `dotenv`. They don't know backticks, and read
 * more escapes in quotes. python-dotenv expands `${` even in single quotes.
 */
export function notForOthers(list: readonly DotenvEntry[]): string[] {
  const isForOthers = (written: string) =>
    isPlain(written) || /^'(?:[^\\$]|\\(?!['\\])|\$(?!\{))*'$/.test(written) || /^"(?:[^\\]|\\r)*"$/.test(written)
  return list.filter((entry) => !isForOthers(writableValue(entry))).map(({ name }) => name)
}

/**
 * Returns the names that Ruby's dotenv would read differently than `dotenv`, or run as commands. It knows neither dashes in names nor
 * backticks, drops most backslashes outside of single quotes, and expands `$NAME` and runs `$(command)` there.
 */
export function notForRuby(list: readonly DotenvEntry[]): string[] {
  const isForRuby = (written: string) => isPlain(written) || written.startsWith("'") || /^(?!`)[^\\$]*\\?$/.test(written)
  return list.filter((entry) => entry.name.includes('-') || !isForRuby(writableValue(entry))).map(({ name }) => name)
}

/** Returns the names that `dotenv` reads differently, or not at all, from lines of `NAME=value` without quotes and escapes. */
export function notWithoutQuotes(list: readonly DotenvEntry[]): string[] {
  const read = parse(list.map(({ name, value }) => `${name}=${value}\n`).join(''), { fast: true })
  return list.filter(({ name, value }) => read[name] !== value).map(({ name }) => name)
}

// No `~`: a shell replaces it by the home folder, even after a colon. No `=`: zsh replaces it by the path of the command after it.
const isPlain = (value: string) => /^[\w./:@%+,=-]*$/.test(value) && !/(^|:)=/.test(value)

function writableName(name: string): string {
  if (!/^[\w.-]+$/.test(name)) {
    throw new UnwritableEntry(name, 'a name in a .env file has only the letters A to Z, digits, dots, dashes and underscores')
  }
  // dotenv reads into a plain object, which can't hold this name.
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
 * The quotes in order of preference. Single quotes come first, because no reader expands anything inside them. A value with `$` or a
 * backtick is not put in double quotes: a shell that sources the file would expand or run it.
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
 * Returns whether a value can be written between two `quote`s. dotenv reads a quote after a backslash as part of the value, and keeps both
 * characters. So a value may contain them, but must not end with a backslash.
 */
function fitsIn(quote: string, value: string): boolean {
  return !new RegExp(`(?<!\\\\)${quote}`).test(value) && !value.endsWith('\\')
}

/** A carriage return must be written as an escape, and only double quotes have escapes. */
function escapeReturns(value: string): string {
  return value.replaceAll('\r', '\\r')
}
