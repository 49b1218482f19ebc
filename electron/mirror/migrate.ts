import { copyFileSync } from 'node:fs'
import type { Database } from 'better-sqlite3'
import { err, ok, type Result } from '../bridge/result.ts'
import { allMigrations, newestVersion, type Migration } from './migrations.ts'
import { nameKey } from './name-key.ts'

/**
 * Migrates an open database to the newest schema, one transaction per step, so that a failing step leaves the file as it was before that
 * step. Before the first step on a file with data, writes a copy next to it (`<file>.before-<version>`). Refuses a file from a newer
 * Holdfast and leaves it untouched.
 */
export function migrate(
  database: Database,
  migrations: readonly Migration[] = allMigrations,
): Result<null, { kind: 'database-newer'; message: string }> {
  // The migrations and the writer fill the column `name_key` with this function.
  database.function('name_key', { deterministic: true }, (name) => (typeof name === 'string' ? nameKey(name) : ''))
  const at = Number(database.pragma('user_version', { simple: true }))
  const newest = newestVersion(migrations)
  if (at > newest) {
    const message = 'This data was written by a newer version of Holdfast. Update Holdfast to open it; nothing was changed.'
    return err({ kind: 'database-newer', message })
  }
  if (at > 0 && at < newest) {
    database.pragma('wal_checkpoint(TRUNCATE)')
    copyFileSync(database.name, `${database.name}.before-${newest}`)
  }
  for (const { version, up } of migrations) {
    if (version <= at) continue
    database
      .transaction(() => {
        for (const statement of up) database.exec(statement)
        database.pragma(`user_version = ${version}`)
      })
      .immediate()
  }
  return ok(null)
}
