import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeDurably } from '../../keychain/write-durably.ts'
import type { WorkspaceInfo } from './workspace-info.ts'

/** One workspace, read from its folder. `problem`: why its `workspace.json` can't be used. */
export type FoundWorkspace = { id: string; info: WorkspaceInfo } | { id: string; problem: string }

/** `<dataDir>/workspaces/`: one folder per workspace, named by its id. */
export interface WorkspaceFolders {
  pathOf(id: string): string
  list(): Promise<FoundWorkspace[]>
  /** null: no workspace has this id. */
  find(id: string): Promise<FoundWorkspace | null>
  /** Creates the folder of a workspace. Until `complete`, the workspace is not listed, and the next start removes it. */
  begin(id: string): Promise<void>
  /** Writes `workspace.json`. From now on the workspace exists. */
  complete(info: WorkspaceInfo): Promise<void>
  /** Removes a workspace atomically, then deletes its files. The next start deletes those that a crash or another program kept. */
  remove(id: string): Promise<void>
  /** Deletes the files of incomplete and removed workspaces, as far as the system allows; returns their ids. */
  clean(): Promise<string[]>
}

const schema = z.object({
  id: z.uuid(),
  kind: z.enum(['local', 'remote']),
  name: z.string(),
  baseUrl: z.string().nullable(),
  remoteId: z.string().min(1),
  allowInsecure: z.boolean(),
  values: z.literal('bound').optional(),
  createdAt: z.string(),
})

const isId = (text: string): boolean => z.uuid().safeParse(text).success
const removedSuffix = '.removed'

export const workspacePaths = (folder: string) => ({
  info: join(folder, 'workspace.json'),
  mirror: join(folder, 'mirror.sqlite'),
  service: join(folder, 'service'),
  /** Exists while the workspace is incomplete. */
  begun: join(folder, 'begun'),
})

const parseInfo = (id: string, text: string): WorkspaceInfo | null => {
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success && parsed.data.id === id ? parsed.data : null
  } catch {
    return null
  }
}

async function readInfo(id: string, file: string): Promise<FoundWorkspace> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return {
      id,
      problem: `Its file ${file} can’t be read (${code}). Restore it from a backup. Nothing else in this workspace was changed.`,
    }
  }
  const info = parseInfo(id, text)
  if (info !== null) return { id, info }
  return {
    id,
    problem: `Its file ${file} is damaged or was written by a newer version of Holdfast. Restore it from a backup, or update Holdfast.`,
  }
}

export const createWorkspaceFolders = (root: string): WorkspaceFolders => {
  const folderOf = (id: string) => join(root, id)

  const read = (id: string): Promise<FoundWorkspace> => readInfo(id, workspacePaths(folderOf(id)).info)

  const removedOf = (id: string) => `${folderOf(id)}${removedSuffix}`

  /** A virus scanner, an indexer or a network folder can hold a file, which must stop neither a removal nor a start. */
  const deleteRemoved = (id: string, maxRetries: number): Promise<void> =>
    rm(removedOf(id), { recursive: true, force: true, maxRetries, retryDelay: 100 }).catch(() => undefined)

  const isWorkspace = (id: string): boolean => {
    const paths = workspacePaths(folderOf(id))
    return isId(id) && existsSync(folderOf(id)) && (existsSync(paths.info) || !existsSync(paths.begun))
  }

  const entries = async (): Promise<string[]> => {
    await mkdir(root, { recursive: true, mode: 0o700 })
    return (await readdir(root)).sort()
  }

  return {
    pathOf: folderOf,
    list: async () => Promise.all((await entries()).filter(isWorkspace).map(read)),
    find: async (id) => (isWorkspace(id) ? read(id) : null),
    begin: async (id) => {
      await mkdir(folderOf(id), { recursive: true, mode: 0o700 })
      await writeFile(workspacePaths(folderOf(id)).begun, '')
    },
    complete: async (info) => {
      const paths = workspacePaths(folderOf(info.id))
      await writeDurably(paths.info, `${JSON.stringify(info, null, 2)}\n`)
      await rm(paths.begun, { force: true })
    },
    remove: async (id) => {
      await rename(folderOf(id), removedOf(id))
      await deleteRemoved(id, 5)
    },
    clean: async () => {
      const halfMade = (await entries()).filter((name) => isId(name) && !isWorkspace(name))
      // A half-made folder that lost only its mark would count as a workspace, so it is renamed before its files are deleted.
      for (const id of halfMade) await rename(folderOf(id), removedOf(id)).catch(() => undefined)
      const removed = (await entries())
        .filter((name) => name.endsWith(removedSuffix))
        .map((name) => name.slice(0, -removedSuffix.length))
        .filter(isId)
      for (const id of removed) await deleteRemoved(id, 0)
      return [...new Set([...halfMade, ...removed])]
    },
  }
}
