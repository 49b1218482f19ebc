import { link, rename, rm } from 'node:fs/promises'
import { codeOf } from './error-code.ts'

/** Gives a file its name in one step. Rejects with EEXIST where another has it; a disk without hard links replaces that one. */
export const moveNew = async (from: string, to: string): Promise<void> => {
  try {
    await link(from, to)
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw error
    await rename(from, to)
    return
  }
  await rm(from)
}
