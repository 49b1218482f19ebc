import { link, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { codeOf } from './error-code.ts'
import { syncFolder } from './sync-folder.ts'

/**
 * Gives a file its name in one step, and keeps it through a power loss. Rejects with EEXIST where another has it; a disk without hard links
 * replaces that one.
 */
export const moveNew = async (from: string, to: string): Promise<void> => {
  await linkOrRename(from, to)
  await syncFolder(dirname(to))
}

const linkOrRename = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await rename(from, to)
    return
  }
  await rm(from)
}
