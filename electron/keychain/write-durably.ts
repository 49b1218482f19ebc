import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces a file; only its owner can read it. After a crash or power loss, either the old file or the new one is there, whole. Steps:
 * write a temporary file beside it, fsync, rename, fsync of the folder. If it rejects, with Node's error, the old file is unchanged. No two
 * calls may use one temporary file at once. With its default name, at most one is left behind by crashes; in a folder of the user it needs
 * a name that no other file has.
 */
export async function writeDurably(file: string, text: string, temporary = `${file}.new`): Promise<void> {
  // A crash may have left the temporary file behind. It is created again, so that its owner and mode are right.
  await rm(temporary, { force: true })
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(text, 'utf8')
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {})
    throw error
  }
  // The new file is in its place, also where a folder can't be synced, as on Windows and in some network folders.
  await syncFolder(path.dirname(file)).catch(() => {})
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
