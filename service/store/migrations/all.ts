import { tables } from './0001-tables.ts'
import { pruning } from './0002-pruning.ts'
import type { Migration } from './migration.ts'

/** Every migration, in order. */
export const migrations: readonly Migration[] = [tables, pruning]
