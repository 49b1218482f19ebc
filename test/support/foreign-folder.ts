import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'

/** Nobody, on every Unix. */
export const stranger = 65534

/** Whether this process may give files to others: only root may. Where it may not, tests of that have nothing to run on. */
export const canGiveAway = process.getuid?.() === 0

/** A folder of another user's that everybody may write to, until the test is over. */
export function foreignFolder(): string {
  const above = mkdtempSync(path.join(tmpdir(), 'holdfast-foreign-'))
  onTestFinished(() => rmSync(above, { recursive: true, force: true }))
  const folder = path.join(above, 'theirs')
  mkdirSync(folder, { mode: 0o777 })
  chownSync(folder, stranger, stranger)
  return folder
}
