import { tables } from './0001-tables.ts'
import { pruning } from './0002-pruning.ts'
import { changes } from './0003-changes.ts'
import { archive } from './0004-archive.ts'
import { workspaces } from './0005-workspaces.ts'
import { usage } from './0006-usage.ts'
import type { Migration } from './migration.ts'

/** Every migration, in order. */
export const migrations: readonly Migration[] = [tables, pruning, changes, archive, workspaces, usage]
