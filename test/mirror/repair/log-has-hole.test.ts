import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { restoreEntry, allEntries } from '../../../electron/mirror/queue-layer.ts'
import { logHasHole } from '../../../electron/mirror/repair/log-has-hole.ts'
import { repairMirror } from '../../../electron/mirror/repair/repair-mirror.ts'
import { walFrames } from '../../../electron/mirror/repair/wal-pages.ts'
import { aChange, sealed } from '../../queue/a-change.ts'
import { tempFile } from '../temp-file.ts'
import { context, crashedCopy, opened } from './a-workspace.ts'

const headBytes = 32
const frameBytes = 24 + 4096
const edits = 12

/** A database of twelve edits, each one transaction, as a killed process leaves it: all of them are in the log alone. */
function killed(): { file: string; ids: string[] } {
  const made = tempFile()
  opened(made).close()
  const mirror = opened(made)
  const ids = Array.from({ length: edits }, (_, n) => `edit-${n}`)
  for (const [n, id] of ids.entries()) {
    mirror.write((tx) =>
      restoreEntry(tx, aChange({ id, rowId: `row-${n}`, patch: { name: `NAME_${n}`, value: sealed(`${n}`.repeat(900)) } })),
    )
  }
  const file = crashedCopy(made)
  mirror.close()
  return { file, ids }
}

/** The numbers of the frames that end a transaction. */
const commitsIn = (file: string): number[] =>
  [...walFrames(readFileSync(`${file}-wal`), 4096, true)].flatMap(({ commits }, at) => (commits ? [at] : []))

function rot(file: string, at: number, bytes = 1): void {
  const wal = readFileSync(`${file}-wal`)
  for (let n = at; n < at + bytes; n += 1) wal[n] = (wal[n] ?? 0) ^ 0x40
  writeFileSync(`${file}-wal`, wal)
}

const idsIn = (file: string): string[] => {
  const mirror = opened(file)
  const ids = mirror.snapshot(allEntries).map(({ id }) => id)
  mirror.close()
  return ids
}

test('a log as a killed process leaves it has no hole, and everything in it is there', () => {
  const { file, ids } = killed()
  expect(logHasHole(file)).toBe(false)
  expect(idsIn(file)).toEqual(ids)
})

test('no log, and one of a few bytes, have none', () => {
  const { file } = killed()
  truncateSync(`${file}-wal`, 40)
  expect(logHasHole(file)).toBe(false)
  const closed = tempFile()
  opened(closed).close()
  expect(existsSync(`${closed}-wal`)).toBe(false)
  expect(logHasHole(closed)).toBe(false)
})

test('frames of an earlier round behind the end of the log are none', () => {
  const made = tempFile()
  const mirror = opened(made)
  mirror.write((tx) => {
    for (let n = 0; n < 300; n += 1)
      restoreEntry(tx, aChange({ id: `c${n}`, rowId: `r${n}`, patch: { name: `N${n}`, value: sealed('x'.repeat(900)) } }))
  })
  const other = new SqliteDatabase(made)
  other.pragma('wal_checkpoint(RESTART)')
  other.close()
  mirror.write((tx) => restoreEntry(tx, aChange({ id: 'last', rowId: 'last', patch: { name: 'LAST' } })))
  const file = crashedCopy(made)
  mirror.close()
  const frames = [...walFrames(readFileSync(`${file}-wal`), 4096, true)]
  expect(frames.some(({ isOurs }) => !isOurs)).toBe(true)
  expect(logHasHole(file)).toBe(false)
})

describe('a frame that rots in the middle', () => {
  test.each([
    { what: 'a byte of a page', of: 1, at: 24 + 2_000, bytes: 1 },
    { what: 'a whole page', of: 3, at: 24, bytes: 4_096 },
    { what: 'the salt of a frame', of: 2, at: 8, bytes: 4 },
    { what: 'the checksum of a frame', of: 2, at: 16, bytes: 8 },
    { what: 'a byte of the page that ends a transaction', of: 0, at: 24 + 4_000, bytes: 1 },
  ])('($what) is found before SQLite writes over what is behind it, and nothing of that is lost', ({ of, at, bytes }) => {
    const { file, ids } = killed()
    const commits = commitsIn(file)
    expect(commits).toHaveLength(edits)
    // Frame `of` counted back from the end of the fifth transaction: the seven after it are whole.
    rot(file, headBytes + ((commits[4] ?? 0) - of) * frameBytes + at, bytes)
    const [before, log] = [readFileSync(file), readFileSync(`${file}-wal`)]
    expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    expect(readFileSync(file).equals(before)).toBe(true)
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
    const note = repairMirror(file, context())
    if (!note.ok) throw new Error(note.error.message)
    expect(readFileSync(`${note.value.copy}-wal`).equals(log)).toBe(true)
    expect(idsIn(file)).toEqual(expect.arrayContaining(ids.slice(5)))
    expect(note.value.report.unsent.unsure || note.value.report.unsent.kept === edits).toBe(true)
  })

  test('or the head of the log is damaged: it is found too, and what is in the log is saved', () => {
    const { file, ids } = killed()
    rot(file, 12, 2)
    expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
    expect(repairMirror(file, context()).ok).toBe(true)
    expect(idsIn(file)).toEqual(expect.arrayContaining(ids.slice(1)))
  })
})

test('a last transaction that a power cut left in pieces is no damage: nobody was told that it was done, and all before it is there', () => {
  const { file, ids } = killed()
  const commits = commitsIn(file)
  const last = (commits.at(-1) ?? 0) - 1
  expect(last).toBeGreaterThan(commits.at(-2) ?? 0)
  rot(file, headBytes + last * frameBytes + 24, 4_096)
  expect(logHasHole(file)).toBe(false)
  expect(idsIn(file)).toEqual(ids.slice(0, -1))
})

test('a damaged page in the file, with edits in the log: the log is still there after the look, and the repair saves what it holds', () => {
  const made = tempFile()
  const first = opened(made)
  first.write((tx) => {
    for (let n = 0; n < 300; n += 1)
      restoreEntry(tx, aChange({ id: `old-${n}`, rowId: `o${n}`, patch: { name: `O${n}`, value: sealed('x'.repeat(900)) } }))
  })
  first.close()
  const mirror = opened(made)
  mirror.write((tx) => restoreEntry(tx, aChange({ id: 'late', rowId: 'late', patch: { name: 'LATE', value: sealed('late') } })))
  const file = crashedCopy(made)
  mirror.close()
  const bytes = readFileSync(file)
  bytes.fill(0xa5, 4096 * 30, 4096 * 32)
  writeFileSync(file, bytes)
  const log = readFileSync(`${file}-wal`)
  expect(openMirror(file)).toMatchObject({ ok: false, error: { kind: 'database-damaged' } })
  expect(readFileSync(file).equals(bytes)).toBe(true)
  expect(readFileSync(`${file}-wal`).equals(log)).toBe(true)
  expect(repairMirror(file, context()).ok).toBe(true)
  expect(idsIn(file)).toContain('late')
})
