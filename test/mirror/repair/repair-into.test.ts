import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { allBase } from '../../../electron/mirror/base-layer.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { toQueueColumns } from '../../../electron/mirror/row-codec.ts'
import type { RepairReport } from '../../../electron/mirror/repair/repair-report.ts'
import { repairInto } from '../../../electron/mirror/repair/repair-into.ts'
import { checkWorking } from '../../../electron/mirror/working-layer.ts'
import { isOperation, type Change } from '../../../electron/queue/entry.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { aWorkspace, context, variable } from './a-workspace.ts'
import { tempFile } from '../temp-file.ts'

const pageSize = 4096

interface RepairOutcome {
  report: RepairReport
  queue: Change[]
  base: number
}

function repair(file: string): RepairOutcome {
  const made = repairInto(file, tempFile(), context())
  if (!made.ok) throw new Error(made.error.message)
  const { mirror, report } = made.value
  const queue = mirror.snapshot(allEntries).filter((queued) => !isOperation(queued))
  expect(mirror.snapshot(checkWorking)).toEqual([])
  const base = mirror.snapshot(allBase).length
  const checked = new SqliteDatabase(mirror.file, { readonly: true })
  expect(checked.pragma('integrity_check', { simple: true })).toBe('ok')
  checked.close()
  mirror.close()
  return { report, queue, base }
}

/** The changes whose bytes lie where the file was not harmed: looked for as text in the whole file, without knowing how SQLite lays it out. */
function unharmed(queue: readonly Change[], before: Buffer, after: Buffer): Change[] {
  const intact = (at: number, length: number): boolean => {
    for (let page = Math.floor(at / pageSize); page <= Math.floor((at + length) / pageSize); page += 1) {
      const [from, until] = [page * pageSize, (page + 1) * pageSize]
      if (!before.subarray(from, until).equals(after.subarray(from, until))) return false
    }
    return true
  }
  return queue.filter((change) => {
    const row = Buffer.from(`${change.id}${change.kind}${change.rowKind}${change.rowId}`)
    // A page may hold what is left of a row that has moved to another one.
    const places: number[] = []
    for (let at = before.indexOf(row); at >= 0; at = before.indexOf(row, at + 1)) places.push(at)
    if (places.length === 0) throw new Error('a change is not in the file')
    // The long one runs over other pages; those are looked at by other tests.
    return JSON.stringify(change.patch).length < 1_000 && places.every((at) => intact(at, row.length))
  })
}

/** The changes that SQLite itself can still read, one by one, in every column as they were. */
function readableBySql(file: string, queue: readonly Change[]): Change[] {
  try {
    const database = new SqliteDatabase(file, { readonly: true })
    const one = database.prepare('SELECT * FROM queue WHERE seq = ?')
    const readable = queue.filter((change) => {
      try {
        return isDeepStrictEqual({ ...(one.get(change.seq) as object) }, { seq: change.seq, ...toQueueColumns(change) })
      } catch {
        return false
      }
    })
    database.close()
    return readable
  } catch {
    return []
  }
}

/** What must hold of every repair, whatever the damage. */
function expectNothingLostInSilence(queue: readonly Change[], { report, queue: now }: RepairOutcome, readable: readonly Change[]): void {
  const ids = new Set(now.map((change) => change.id))
  const unknown = new Set(report.unknownDeletions)
  for (const change of readable) {
    const isTold = change.kind === 'delete' && unknown.has(change.base?.name ?? '')
    if (!isTold) expect(ids, `${change.kind} ${change.base?.name ?? change.patch.name}`).toContain(change.id)
  }
  const { kept, rebuilt, lost, unsure } = report.unsent
  if (!unsure) expect(kept + rebuilt + lost).toBeGreaterThanOrEqual(queue.length)
  expect(now.length + unknown.size).toBeGreaterThanOrEqual(kept)
}

test('an undamaged file comes out as it went in', () => {
  const { file, queue } = aWorkspace()
  const { report, queue: now, base } = repair(file)
  expect(now).toEqual(queue)
  expect(base).toBe(202)
  expect(report).toEqual({
    unsent: { kept: 60, rebuilt: 0, lost: 0, unsure: false },
    unknownDeletions: [],
    rows: { kept: 202, lost: 0 },
    history: 20,
  })
})

test('what is only in the write-ahead log is read from there', () => {
  const { file, queue } = aWorkspace(true)
  expect(statSync(file).size).toBeLessThan(pageSize * 10)
  const { report, queue: now } = repair(file)
  expect(now).toEqual(queue)
  expect(report.unsent).toEqual({ kept: 60, rebuilt: 0, lost: 0, unsure: false })
})

test.each([
  { whose: 'in question with a record of its name', remote: { name: 'THEIRS' }, name: /^THEIRS$/ },
  { whose: 'that nothing else names', remote: null, name: /^RECOVERED_\w{8}$/ },
])('an unsent value $whose has a name when its row is lost', ({ remote, name }) => {
  const { file } = aWorkspace()
  const database = new SqliteDatabase(file)
  for (const table of ['base', 'working']) database.prepare(`DELETE FROM ${table} WHERE id = ?`).run(variable(7))
  const conflict = remote && JSON.stringify({ kind: 'name-taken', remote, by: null })
  const asked = 'UPDATE queue SET base = NULL, state = coalesce(?, state), conflict = ?, reason = ? WHERE row_id = ?'
  database.prepare(asked).run(remote && 'conflict', conflict, remote && 'The name is taken.', variable(7))
  database.close()
  const change = repair(file).queue.find(({ rowId }) => rowId === variable(7))
  expect(change).toMatchObject({ kind: 'create', state: 'failed', patch: { name: expect.stringMatching(name) } })
})

describe('a file cut off', () => {
  const lengths = Array.from({ length: 24 }, (_, n) => n / 23)
  test.each(lengths)('after %f of its length gives every unsent change that is left, and says what is not', (part) => {
    const { file, queue } = aWorkspace()
    const before = readFileSync(file)
    truncateSync(file, Math.floor(before.length * part))
    const after = Buffer.concat([readFileSync(file), Buffer.alloc(before.length - Math.floor(before.length * part), 0x5a)])
    const readable = [...unharmed(queue, before, after), ...readableBySql(file, queue)]
    expectNothingLostInSilence(queue, repair(file), readable)
  })
})

describe('bytes turned over', () => {
  const seeds = Array.from({ length: Number(process.env['REPAIR_SEEDS'] ?? 40) }, (_, n) => n + 1)
  test.each(seeds)(
    'here and there (seed %i): every change on a page that was not hit is there again, and the others are counted',
    (seed) => {
      const random = seededRandom(seed)
      const { file, queue } = aWorkspace(seed % 4 === 0)
      const target = seed % 4 === 0 ? `${file}-wal` : file
      const before = readFileSync(target)
      const after = Buffer.from(before)
      const pages = 1 + Math.floor(random() * 6)
      for (let n = 0; n < pages; n += 1) {
        const at = Math.floor(random() * before.length)
        // A byte, a sector, or a page.
        const length = [1, 512, pageSize][Math.floor(random() * 3)] ?? 1
        for (let each = at; each < Math.min(at + length, before.length); each += 1)
          after[each] = (after[each] ?? 0) ^ (1 + Math.floor(random() * 255))
      }
      writeFileSync(target, after)
      const readable = seed % 4 === 0 ? readableBySql(file, queue) : [...unharmed(queue, before, after), ...readableBySql(file, queue)]
      expectNothingLostInSilence(queue, repair(file), readable)
    },
  )
})

/** Which table or index each page of a file belongs to, as SQLite says. */
function pagesOf(file: string): { name: string; page: number }[] {
  const database = new SqliteDatabase(file, { readonly: true })
  const rows = database.prepare('SELECT name, pageno AS page FROM dbstat').all()
  database.close()
  return rows as { name: string; page: number }[]
}

describe('one whole page lost', () => {
  test('of the file, whichever it is: nothing is lost in silence', () => {
    const { file, queue } = aWorkspace()
    const before = readFileSync(file)
    for (let page = 0; page < before.length / pageSize; page += 1) {
      const after = Buffer.from(before)
      after.fill(0xa5, page * pageSize, (page + 1) * pageSize)
      writeFileSync(file, after)
      expectNothingLostInSilence(queue, repair(file), [...unharmed(queue, before, after), ...readableBySql(file, queue)])
    }
  })

  test('of the queue: what it held is worked out from what was shown, and waits for the user', () => {
    const { file, queue } = aWorkspace()
    const shownBefore = shown(file)
    const before = readFileSync(file)
    const pages = pagesOf(file).filter(({ name }) => name === 'queue')
    expect(pages.length).toBeGreaterThan(5)
    let rebuilt = 0
    for (const { page } of pages) {
      const after = Buffer.from(before)
      after.fill(0, (page - 1) * pageSize, page * pageSize)
      writeFileSync(file, after)
      const { report, queue: now } = repair(file)
      expect(report.unsent).toEqual({ kept: expect.any(Number), rebuilt: queue.length - report.unsent.kept, lost: 0, unsure: false })
      const made = now.filter((change) => !queue.some(({ id }) => id === change.id))
      expect(
        made.every((change) => change.state === 'failed' && change.reason === 'Recovered from a damaged database: check it, then send it.'),
      ).toBe(true)
      rebuilt += made.length
      const into = tempFile()
      const again = repairInto(file, into, context())
      if (again.ok) again.value.mirror.close()
      expect(shown(into)).toEqual(shownBefore)
    }
    expect(rebuilt).toBeGreaterThan(queue.length - 2)
  })

  test('of what the service had: unsent edits of those records become creations that the next pull meets, deletions are named', () => {
    const { file } = aWorkspace()
    const before = readFileSync(file)
    const pages = pagesOf(file).filter(({ name }) => name === 'base')
    const kinds = new Set<string>()
    let unknown = 0
    for (const { page } of pages) {
      const after = Buffer.from(before)
      after.fill(0, (page - 1) * pageSize, page * pageSize)
      writeFileSync(file, after)
      const { report, queue } = repair(file)
      expect(report.unsent).toMatchObject({ kept: 60, lost: 0, unsure: false })
      unknown += report.unknownDeletions.length
      for (const change of queue.filter((one) => one.state === 'failed')) kinds.add(`${change.kind} ${change.rowKind}`)
      expect(queue.filter((change) => change.kind === 'update').every((change) => change.base !== null)).toBe(true)
    }
    expect(kinds).toEqual(new Set(['create variable', 'create environment', 'create project']))
    expect(unknown).toBe(15)
  })
})

/** What the user sees, by name. */
function shown(file: string): Record<string, unknown> {
  const database = new SqliteDatabase(file, { readonly: true })
  const rows = database.prepare('SELECT id, name, slug, tag FROM working ORDER BY id').all() as { id: string }[]
  database.close()
  return Object.fromEntries(rows.map(({ id, ...rest }) => [id, rest]))
}
