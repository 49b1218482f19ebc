import { open } from 'node:fs/promises'

/** Writes the names in a folder to the disk, so that a file that was given its name stays there after a power loss. Never fails: some systems can't. */
export const syncFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}
