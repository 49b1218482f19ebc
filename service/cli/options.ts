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
