import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'

/** A path for a database in a folder of its own, gone when the test has ended. */
export function tempFile(): string {
  const dir = mkdtempSync(join(tmpdir(), 'holdfast-mirror-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return join(dir, 'mirror.sqlite')
}

/** A new mirror, closed when the test has ended. */
export function newMirror(): Mirror {
  const opened = openMirror(tempFile())
  if (!opened.ok) throw new Error(opened.error.message)
  onTestFinished(() => opened.value.close())
  return opened.value
}
