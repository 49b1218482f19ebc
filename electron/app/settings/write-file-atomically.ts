import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Makes a rename survive a power cut. Windows has no handle for this and needs none. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Replaces `file` by `text`: a reader, and a crash at any moment, finds the old text or the new one,
 * whole. When it resolves, the new one is on the disk. Rejects with Node's error when the disk refuses.
 * Only the owner may read the file. Callers take turns per file: the temporary name is fixed so that a crash leaves at most one.
 */
export const writeFileAtomically = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.new`
  try {
    const handle = await open(temporary, 'w', 0o600)
    try {
      await handle.writeFile(text, 'utf8')
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(file))
}
