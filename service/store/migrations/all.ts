import { firstSchema } from './0006-first-schema.ts'
import { runs } from './0007-runs.ts'
import { trimClock } from './0008-trim-clock.ts'
import type { Migration } from './migration.ts'

/** Every migration, in order. */
export const migrations: readonly Migration[] = [firstSchema, runs, trimClock]
