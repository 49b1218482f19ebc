import { readFileSync, rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { repairMirror } from '../../../electron/mirror/repair/repair-mirror.ts'
import { aWorkspace, context, opened } from './a-workspace.ts'

test('the log of a missing database is kept, and what is in it comes back', () => {
  const { file, queue } = aWorkspace(true)
  expect(queue.length).toBeGreaterThan(0)
  const log = readFileSync(`${file}-wal`)
  rmSync(file)
  const note = repairMirror(file, context())
  if (!note.ok) throw new Error(note.error.message)
  const mirror = opened(file)
  const back = mirror.snapshot(allEntries)
  mirror.close()
  expect([readFileSync(String(note.value.copy)).equals(log), back.length]).toEqual([true, queue.length])
})
