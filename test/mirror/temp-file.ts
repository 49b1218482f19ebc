import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A path for a database in a folder of its own, gone when the test has ended. */
export function tempFile(): string {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-mirror-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'mirror.sqlite')
}
