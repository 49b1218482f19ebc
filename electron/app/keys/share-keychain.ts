import { access, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { ok, type Result } from '../../bridge/result.ts'
import type { KeyStore, KeyStoreError } from '../../keychain/key-store.ts'
import { parseSettings } from '../settings/open-settings.ts'
import { workspacePaths } from '../workspaces/workspace-folders.ts'
import { keyedWorkspace } from './key-names.ts'

/** The entry with the list of data folders. */
const listName = 'data-folders'

/** Windows keeps at most 2,560 bytes in an entry. */
const listedAtMost = 6

const listSchema = z.array(z.string())

/**
 * Makes `open` return the keychain for one of the data folders that share it. A copied folder has the workspaces and the settings of the
 * original, and so uses the same entries. Every folder that reads or stores an entry is listed in the keychain by its path, and `delete`
 * keeps an entry that a listed folder uses. Whether it does is read from the folder: of one that was moved or deleted, nothing remains.
 */
export function shareKeychain(dataDir: string, open: () => KeyStore): () => KeyStore {
  let listing: Promise<boolean> | null = null
  const list = (store: KeyStore): void => {
    listing ??= addToList(store, dataDir).catch(() => false)
    void listing.then((isListed) => isListed || (listing = null))
  }
  return () => {
    const store = open()
    return {
      ...store,
      async get(name) {
        const found = await store.get(name)
        if (found.ok && found.value !== null) list(store)
        return found
      },
      async set(name, secret) {
        const kept = await store.set(name, secret)
        if (kept.ok) list(store)
        return kept
      },
      async delete(name) {
        const folders = await readList(store)
        if (!folders.ok) return folders
        const uses = await Promise.all(folders.value.map((folder) => usesEntry(folder, name)))
        return uses.includes(true) ? ok(null) : store.delete(name)
      },
    }
  }
}

async function readList(store: KeyStore): Promise<Result<string[], KeyStoreError>> {
  const kept = await store.get(listName)
  if (!kept.ok) return kept
  try {
    return ok(listSchema.parse(JSON.parse(kept.value ?? '[]')))
  } catch {
    // Another program wrote it.
    return ok([])
  }
}

/** Returns whether the folder is listed now. Takes folders that no longer exist off the list. */
async function addToList(store: KeyStore, dataDir: string): Promise<boolean> {
  const own = await realpath(dataDir)
  const folders = await readList(store)
  if (!folders.ok) return false
  if (folders.value.includes(own)) return true
  const existing = await Promise.all(folders.value.map(async (folder) => ((await exists(folder)) ? [folder] : [])))
  return (await store.set(listName, JSON.stringify([own, ...existing.flat()].slice(0, listedAtMost)))).ok
}

async function usesEntry(dataDir: string, name: string): Promise<boolean> {
  const workspaceId = keyedWorkspace(name)
  if (workspaceId !== null) return exists(workspacePaths(join(dataDir, 'workspaces', workspaceId)).info)
  const text = await readFile(join(dataDir, 'settings.json'), 'utf8').catch(() => '')
  const settings = parseSettings(text)
  return settings !== null && settings.hasPin && settings.pinEntry === name
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  )
