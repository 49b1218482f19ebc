import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import type { Storage } from '../store/open-store.ts'
import { CommandError, HelpAsked } from './exit-message.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Reads options, and with `words` the words beside them. `--help` is a HelpAsked with the usage, anything unknown a CommandError with it.
 */
export const readOptions = <O extends Options>(args: readonly string[], options: O, usage: string, { words }: { words: boolean }) => {
  if (args.includes('--help')) throw new HelpAsked(usage)
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: words })
  } catch (error) {
    // What follows Node's first sentence is about arguments that begin with a dash.
    throw new CommandError(`${error instanceof Error ? error.message.split(/\.\s/)[0] : 'The options cannot be read'}.\n${usage}`)
  }
}

/** A number of days, 1 to 99999; null when the option is not given. */
export const readDays = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (days < 1) throw new CommandError('The number of days must be a whole number from 1 to 99999.')
  return days
}

/** Refuses an option that would have no effect: `values` has it, and neither the storage nor `used` names it. */
export const refuseUnused = (values: object, used: readonly string[], usage: string): void => {
  const unused = Object.keys(values).find((name) => !(name in storageOptions) && !used.includes(name))
  if (unused !== undefined) throw new CommandError(`--${unused} can’t be used here.\n${usage}`)
}

/** Where every command finds the storage. */
export const storageOptions = {
  data: { type: 'string' },
  'database-url': { type: 'string' },
  'database-url-file': { type: 'string' },
} as const

/** The values of `storageOptions`. */
export interface StorageValues {
  data?: string | undefined
  'database-url'?: string | undefined
  'database-url-file'?: string | undefined
}

const readUrlFile = (file: string): string => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new CommandError(`The file with the database URL cannot be read: ${file}. Check its path and who may read it.`)
  }
}

/** Whether a URL may contain a password, also one with characters that the URL should have escaped. */
const hasPassword = (databaseUrl: string): boolean => /:\/\/.*:.+@/.test(databaseUrl) || /[?&]password=./i.test(databaseUrl)

const passwordRefusal =
  'Every user of this computer can read a password in --database-url (ps shows it). Put the URL into a file and give --database-url-file FILE, or set DATABASE_URL. Then change the password: it has been seen.'

/** The database URL that an option names, or the environment where no option says where the data live. */
const databaseUrlOf = (values: StorageValues): string | undefined => {
  const { 'database-url': url, 'database-url-file': file } = values
  if (url !== undefined && file !== undefined) throw new CommandError('Give either --database-url or --database-url-file.')
  if (file !== undefined) return readUrlFile(file)
  if (url !== undefined) {
    if (hasPassword(url)) throw new CommandError(passwordRefusal)
    return url
  }
  if (values.data !== undefined) return undefined
  const { DATABASE_URL = '', DATABASE_URL_FILE = '' } = process.env
  return DATABASE_URL === '' && DATABASE_URL_FILE !== '' ? readUrlFile(DATABASE_URL_FILE) : DATABASE_URL
}

/**
 * The storage that the options name, or else the first that is set of DATABASE_URL, DATABASE_URL_FILE and DATA_DIR. A password that others
 * can see is refused.
 */
export const storageOf = (values: StorageValues): Storage => {
  const databaseUrl = databaseUrlOf(values)
  if (databaseUrl !== undefined && databaseUrl !== '') {
    if (!/^postgres(?:ql)?:\/\//.test(databaseUrl)) throw new CommandError('The database URL must begin with postgres:// or postgresql://.')
    return { databaseUrl }
  }
  const dataDir = values.data ?? process.env['DATA_DIR']
  if (dataDir === undefined || dataDir === '')
    throw new CommandError(
      'Set where the data is stored: --data DIR for SQLite (or set DATA_DIR), or --database-url-file FILE for PostgreSQL (a file with its URL; or set DATABASE_URL).',
    )
  return { dataDir }
}
