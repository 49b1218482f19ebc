import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { AppUnderTest } from '../fixtures.ts'

/** The database of the one workspace of a data folder. */
export async function databaseOf({ dataDir }: Pick<AppUnderTest, 'dataDir'>): Promise<string> {
  const root = path.join(dataDir, 'workspaces')
  const [id = ''] = await readdir(root)
  return path.join(root, id, 'mirror.sqlite')
}
