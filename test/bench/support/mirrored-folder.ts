import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { v7 as uuid } from 'uuid'
import { TestClient } from '../../support/build-client.ts'
import { withService, workspaceKey } from './data-set.ts'

/** A data folder with one workspace whose mirror is complete. Its service is gone, and no key is stored. */
export interface MirroredFolder {
  dataDir: string
  /** The file of the mirror. */
  file: string
  workspaceId: string
  environmentId: string
}

/** Mirrors 100 environments of 1,000 variables as a first sync does, and runs `work` on the folder that is left. */
export const withMirroredFolder = async <T>(work: (folder: MirroredFolder) => Promise<T>): Promise<T> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  try {
    const id = uuid()
    const folder = join(dataDir, 'workspaces', id)
    const file = join(folder, 'mirror.sqlite')
    mkdirSync(folder, { recursive: true })
    await withService(100, 1000, async (service) => {
      const client = new TestClient({ service, key: workspaceKey(), random: Math.random })
      await client.sync()
      await client.engine.stop()
      client.mirror.close()
      copyFileSync(join(client.dir, 'mirror.sqlite'), file)
      rmSync(client.dir, { recursive: true, force: true })
      const info = {
        id,
        kind: 'remote',
        name: 'Bench',
        baseUrl: 'http://127.0.0.1:9',
        remoteId: service.workspaceId,
        allowInsecure: true,
        createdAt: '',
      }
      writeFileSync(join(folder, 'workspace.json'), JSON.stringify(info))
    })
    const database = new Database(file, { readonly: true })
    const environmentId = database.prepare("select id from working where kind = 'environment' and slug = 'env-50'").pluck().get() as string
    database.close()
    return await work({ dataDir, file, workspaceId: id, environmentId })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
