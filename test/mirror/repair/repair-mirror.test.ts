import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { getState } from '../../../electron/mirror/workspace-state.ts'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { madeOf } from '../../../electron/mirror/repair/finish-repair.ts'
import { repairMirror } from '../../../electron/mirror/repair/repair-mirror.ts'
import { tempFile } from '../temp-file.ts'
import { aWorkspace, context, opened } from './a-workspace.ts'

/** Overwrites the file's first page: SQLite cannot open it any more, and all that was in it is still there. */
function harm(file: string): void {
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 0, 100)
  writeFileSync(file, bytes)
}

test('a repair keeps the damaged file with its log, puts a new one in its place, and leaves a note', () => {
  const { file, queue } = aWorkspace(true)
  harm(file)
  const damaged = readFileSync(file)
  const log = readFileSync(`${file}-wal`)
  // The log holds a first page of its own; without the log this file opens no more.
  writeFileSync(`${file}-wal`, log)
  const note = repairMirror(file, context())
  if (!note.ok) throw new Error(note.error.message)
  expect(readFileSync(String(note.value.copy)).equals(damaged)).toBe(true)
  expect(readFileSync(`${note.value.copy}-wal`).equals(log)).toBe(true)
  expect(dirname(dirname(String(note.value.copy)))).toBe(dirname(file))
  const mirror = opened(file)
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  expect(JSON.parse(mirror.snapshot((tx) => getState(tx, 'repair')) ?? '')).toEqual(note.value)
  expect(mirror.snapshot((tx) => getState(tx, 'feed-cursor'))).toBeNull()
  mirror.close()
})

test.each([0, 1, 99, 511, 512, 600, 4096, 5000])(
  'a file of %i bytes is called damaged, is kept, and is never taken for a new one',
  (size) => {
    const { file } = aWorkspace()
    truncateSync(file, size)
    expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    expect(readFileSync(file)).toHaveLength(size)
    const note = repairMirror(file, context())
    if (!note.ok) throw new Error(note.error.message)
    expect(note.value.report.unsent).toMatchObject({ kept: 0, unsure: true })
    expect(readFileSync(String(note.value.copy))).toHaveLength(size)
    opened(file).close()
  },
)

test('a file that never was a database gives nothing, says so, and is kept', () => {
  const file = tempFile()
  writeFileSync(file, 'name,value\n'.repeat(2_000))
  const note = repairMirror(file, context())
  if (!note.ok) throw new Error(note.error.message)
  expect(note.value.report).toEqual({
    unsent: { kept: 0, rebuilt: 0, lost: 0, unsure: true },
    unknownDeletions: [],
    rows: { kept: 0, lost: 0 },
    history: 0,
  })
  expect(readFileSync(String(note.value.copy), 'utf8')).toContain('name,value')
})

test('a crash between the new file and the swap is finished by the next open, without the log of the damaged one', () => {
  const { file, queue } = aWorkspace(true)
  const before = tempFile()
  for (const ending of ['', '-wal']) copyFileSync(`${file}${ending}`, `${before}${ending}`)
  const note = repairMirror(file, context())
  expect(note.ok).toBe(true)
  renameSync(file, madeOf(file))
  for (const ending of ['', '-wal']) copyFileSync(`${before}${ending}`, `${file}${ending}`)
  const mirror = opened(file)
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  expect(mirror.snapshot((tx) => getState(tx, 'repair'))).not.toBeNull()
  expect(existsSync(madeOf(file))).toBe(false)
  mirror.close()
})

test('a crash while the new file is being made leaves the damaged one in place, to be repaired again', () => {
  const { file, queue } = aWorkspace()
  harm(file)
  const damaged = readFileSync(file)
  writeFileSync(`${file}.repairing`, 'half of it')
  expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
  expect(readFileSync(file).equals(damaged)).toBe(true)
  expect(repairMirror(file, context()).ok).toBe(true)
  const mirror = opened(file)
  expect(mirror.snapshot(allEntries)).toEqual(queue)
  mirror.close()
  rmSync(file)
})
