import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bootstrap } from '../../../service/store/bootstrap.ts'
import { readChanges } from '../../../service/store/changes.ts'
import { startNewHistory } from '../../../service/store/new-history.ts'
import { openStore } from '../../../service/store/open-store.ts'
import { inWorkspace } from '../../../service/store/store.ts'

test('a first read of the feed during a restore reads what was restored, and a later read is told of it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-first-read-'))
  const store = await openStore({ dataDir }, () => new Date().toISOString())
  const at = new Date().toISOString()
  const { workspaceId } = await bootstrap(store, { at, mint: false, workspaceId: 'w', keyless: true, randomBytes })
  let restores = 0
  /** Every read of a page waits here for its room. */
  const admit = async () => {
    if (restores-- > 0) await startNewHistory(store, Date.now(), randomBytes)
  }
  const db = { ...inWorkspace(store, workspaceId), admit }
  const before = await readChanges(db, { limit: 10 })

  restores = 1
  const first = await readChanges(db, { limit: 10 })
  expect(first.history).not.toBe(before.history)
  expect(first.items).toHaveLength(before.items.length)
  restores = 1
  await expect(readChanges(db, { limit: 10, cursor: first.nextCursor })).rejects.toThrow('another history')
  await store.close()
  await rm(dataDir, { recursive: true, force: true })
})
