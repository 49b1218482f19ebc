import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { databaseFile, openStore } from '../../service/store/open-store.ts'

/**
 * Puts an empty database of the newest schema where a client or a service is about to make one. Running every migration is what takes longest in starting
 * either, so each process runs them once and copies the file from then on. Tests of migrations and of first starts do not come here.
 */

let mirror: Buffer | null = null
let store: Promise<Buffer> | null = null

const readAway = (dir: string, name: string): Buffer => {
  const bytes = readFileSync(join(dir, name))
  rmSync(dir, { recursive: true })
  return bytes
}

function newMirror(): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-fresh-'))
  const opened = openMirror(join(dir, 'mirror.sqlite'))
  if (!opened.ok) throw new Error(opened.error.message)
  opened.value.close()
  return readAway(dir, 'mirror.sqlite')
}

async function newStore(): Promise<Buffer> {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-fresh-'))
  const opened = await openStore({ dataDir }, () => new Date().toISOString())
  await opened.close()
  return readAway(dataDir, 'service.db')
}

/** An empty mirror in `file`, unless something is there. */
export function putFreshMirror(file: string): void {
  if (existsSync(file)) return
  writeFileSync(file, (mirror ??= newMirror()))
}

/** An empty database of a service in `dataDir`, which is made too, unless there is one. */
export async function putFreshStore(dataDir: string): Promise<void> {
  const file = databaseFile(dataDir)
  if (existsSync(file)) return
  const bytes = await (store ??= newStore())
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  writeFileSync(file, bytes, { mode: 0o600 })
}
