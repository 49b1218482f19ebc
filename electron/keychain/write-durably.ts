import { open, rename, rm } from 'node:fs/promises'
import path from 'node:path'

/**
 * Replaces a file, readable by its owner alone, so that after a crash or power loss there is the
 * old one or the new one, whole: a temporary file beside it, fsync, rename, fsync of the folder.
 * Rejects with Node's error, and then the old file is unchanged. Callers take turns per file: a fixed temporary name leaves at most one behind.
 */
export async function writeDurably(file: string, text: string): Promise<void> {
  const temporary = `${file}.new`
  // Left behind by a crash; made anew so that it is ours, with our mode.
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
  // Windows opens no folders, and needs no such call: its file system logs the rename.
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
