import { accessSync, constants, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignPart } from '../app/foreign-owner.ts'
import { makeFolder } from '../app/make-folder.ts'

/**
 * Creates and returns the folder for Chromium's own files: `electron` in the data folder. The single instance lock is in it, so there is
 * one Holdfast per data folder. If the data folder can't be written, or belongs to another user, it is a temporary folder, so that the
 * application can start and say what is wrong.
 */
export function chromiumDir(dataDir: string): string {
  const folder = join(dataDir, 'electron')
  try {
    if (foreignPart(dataDir) !== null || foreignPart(folder) !== null) return temporary()
    makeFolder(folder)
    // Checks an existing folder too: if Chromium can't write its lock, it takes itself for a second instance.
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    return temporary()
  }
}

const temporary = (): string => mkdtempSync(join(tmpdir(), 'holdfast-'))
