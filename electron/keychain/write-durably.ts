import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces a file; only its owner can read it. After a crash or power loss, either the old file or the new one is there, whole. Steps:
 * write a temporary file beside it, fsync, rename, fsync of the folder. If it rejects, with Node's error, the old file is unchanged. No two
 * calls for one file may run at once, because the temporary file has a fixed name: so at most one is left behind.
 */
export async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`
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
  await syncFolder(path.dirname(file))
}

async function syncFolder(folder: string): Promise<void> {
  // Windows can't open folders, and needs no fsync of them: its file system logs the rename.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
