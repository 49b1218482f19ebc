import { accessSync, constants, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foreignPart } from '../app/foreign-owner.ts'

/**
 * The folder for Chromium's own files, apart from ours, created: `electron` in the data folder. The single instance
 * lock lies in it, so there is one Holdfast per data folder. Where the data folder cannot be written, or is another user's, it is a temporary one, so
 * that the application gets to say what is wrong.
 */
export function chromiumDir(dataDir: string): string {
  const folder = join(dataDir, 'electron')
  try {
    if (foreignPart(dataDir) !== null || foreignPart(folder) !== null) return temporary()
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // One that exists already: Chromium can't lock what it can't write to, and takes that for a second instance.
    accessSync(folder, constants.W_OK)
    return folder
  } catch {
    return temporary()
  }
}

const temporary = (): string => mkdtempSync(join(tmpdir(), 'holdfast-'))
