import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Storage } from '../../../service/store/open-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'holdfast-urls-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** The options that tell a command where its data are: the URL of a database is in a file, because it has a password. */
export const placeOptions = (storage: Storage): string[] => {
  if (!('databaseUrl' in storage)) return ['--data', storage.dataDir]
  const file = join(folder, randomBytes(8).toString('hex'))
  writeFileSync(file, storage.databaseUrl, { mode: 0o600 })
  return ['--database-url-file', file]
}
