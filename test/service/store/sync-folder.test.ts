import { fstatSync } from 'node:fs'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { backUp } from '../../../service/store/database-backups.ts'
import { moveNew } from '../../../service/store/move-new.ts'
import { openStore } from '../../../service/store/open-store.ts'
import { syncFolder } from '../../../service/store/sync-folder.ts'

let folder: string
/** What was written to the disk, in order. */
let synced: ('file' | 'folder')[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-sync-folder-'))
  synced = []
  const handle = await open(join(folder, 'any'), 'w')
  await handle.close()
  const handles = Object.getPrototypeOf(handle) as FileHandle
  const { sync } = handles
  vi.spyOn(handles, 'sync').mockImplementation(async function note(this: FileHandle) {
    await sync.call(this)
    synced.push(fstatSync(this.fd).isDirectory() ? 'folder' : 'file')
  })
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

test.skipIf(process.platform === 'win32')('the name of a backup is written to the disk', async () => {
  await writeFile(join(folder, 'partial'), 'whole')
  await moveNew(join(folder, 'partial'), join(folder, 'backup.jsonl'))
  expect(synced).toEqual(['folder'])
})

test.skipIf(process.platform === 'win32')('a copy of the database is written to the disk, then its name', async () => {
  const dataDir = join(folder, 'data')
  const store = await openStore({ dataDir }, () => '2026-01-01T00:00:00.000Z')
  await backUp(store, dataDir, Date.parse('2026-01-02T00:00:00.000Z'))
  await store.close()
  expect(synced).toEqual(['file', 'folder'])
})

test('a folder that cannot be synced stays as it is, without an error', async () => {
  await expect(syncFolder(join(folder, 'missing'))).resolves.toBeUndefined()
})
