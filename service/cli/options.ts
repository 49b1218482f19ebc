import { parseArgs } from 'node:util'
import type { ParseArgsConfig } from 'node:util'
import type { Storage } from '../store/open-store.ts'
import { CommandError } from './exit-message.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Reads options; anything unknown is a CommandError with the usage. */
export const readOptions = <O extends Options>(args: readonly string[], options: O, usage: string) => {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    throw new CommandError(`${error instanceof Error ? error.message : 'The options cannot be read.'}\n${usage}`)
  }
}

/** A number of days, 1 to 99999; null when the option is absent. */
export const readDays = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const days = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (days < 1) throw new CommandError('The number of days must be a whole number from 1 to 99999.')
  return days
}

/** Where every command finds the storage. */
export const storageOptions = { data: { type: 'string' }, 'database-url': { type: 'string' } } as const

/** The storage that the options or DATABASE_URL name. */
export const storageOf = (values: { data?: string | undefined; 'database-url'?: string | undefined }): Storage => {
  const databaseUrl = values['database-url'] ?? (values.data === undefined ? process.env['DATABASE_URL'] : undefined)
  if (databaseUrl !== undefined && databaseUrl !== '') {
    if (!/^postgres(?:ql)?:\/\//.test(databaseUrl)) throw new CommandError('The database URL must begin with postgres:// or postgresql://.')
    return { databaseUrl }
  }
  if (values.data === undefined || values.data === '')
    throw new CommandError('Say where the data lives: --data DIR for SQLite, or --database-url URL for PostgreSQL.')
  return { dataDir: values.data }
}
