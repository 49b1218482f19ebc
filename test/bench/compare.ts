import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createComparer } from '../../electron/app/compare/compare-page.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import type { RowColumns } from '../../electron/mirror/schema.ts'
import { build } from '../../electron/mirror/tx.ts'
import { interleave, timed, timeRows } from './support/rounds.ts'
import type { Taken } from './support/rounds.ts'
import { ratioAtMost } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'

/** Names, and environments that have them. The first is the one with a goal. */
const shapes = [
  { names: 2000, environments: 20 },
  { names: 25_000, environments: 4 },
  { names: 1000, environments: 100 },
]
const shownRows = 120
const shownColumns = 12
const cipher = createWorkspaceCipher(new Uint8Array(randomBytes(32)))
const tagged = (text: string): string => createHash('sha256').update(text).digest('base64url')
const slugOf = (e: number): string => `env-${String(e).padStart(3, '0')}`
const idOf = (e: number, n: number): string => `${slugOf(e)}-${String(n).padStart(28, '0')}`

/** A third of the names the same everywhere, a third different everywhere, a third of two values. */
function fill(mirror: Mirror, names: number, environments: number): void {
  const none = { parent_id: null, slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }
  mirror.write((tx) => {
    const add = (row: Partial<RowColumns> & Pick<RowColumns, 'id' | 'kind' | 'name'>) =>
      tx.run(build.insertInto('working').values({ ...none, ...row }))
    add({ id: 'project', kind: 'project', name: 'Shop', slug: 'shop' })
    for (let e = 0; e < environments; e += 1) {
      const slug = slugOf(e)
      add({ id: slug, kind: 'environment', parent_id: 'project', name: slug, slug })
      for (let n = 0; n < names; n += 1) {
        const value = n % 3 === 0 ? `same ${n}` : n % 3 === 1 ? `${e} ${n}` : `${e < 3} ${n}`
        add({
          id: idOf(e, n),
          kind: 'variable',
          parent_id: slug,
          name: `SERVICE_${n % 97}_SETTING_${n}`,
          sealed: `v1:${randomBytes(108).toString('base64')}`,
          tag: tagged(value),
          key_id: cipher.keyId,
          type: 'string',
          is_secret: n % 2,
        })
      }
    }
  })
}

/** The least that shows the same page: the names that differ, in order, and the cells in view, all left to SQLite. */
function bareSql(file: string, environments: number): () => number {
  const database = new Database(file, { readonly: true })
  const differing = database
    .prepare(
      `select row.name from working as environment join working as row on row.parent_id = environment.id and row.kind = 'variable'
       where environment.parent_id = 'project' and environment.kind = 'environment'
       group by row.name having count(*) < ? or count(distinct row.tag) > 1 order by row.name limit ? offset ?`,
    )
    .pluck()
  const cells = database.prepare(
    `select id, parent_id, name, tag, type, is_secret, sealed from working
     where kind = 'variable' and parent_id in (select value from json_each(?)) and name in (select value from json_each(?))`,
  )
  const columns = JSON.stringify(Array.from({ length: Math.min(shownColumns, environments) }, (_, e) => slugOf(e)))
  return () => cells.all(columns, JSON.stringify(differing.all(environments, shownRows, 0))).length
}

async function measure(names: number, environments: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const file = join(folder, 'mirror.sqlite')
  const opened = openMirror(file)
  if (!opened.ok) throw new Error(opened.error.message)
  const mirror = opened.value
  fill(mirror, names, environments)
  const compare = createComparer()
  const only = 'differences' as const
  // As the window asks: the rows and the columns in view.
  const args = { projectId: 'project', filter: '', only, offset: 0, limit: shownRows, columns: { offset: 0, limit: shownColumns } }
  const page = (change: Partial<typeof args> & { environmentIds?: string[] } = {}) => compare.page(mirror, cipher, { ...args, ...change })
  const edit = (round: number) =>
    mirror.write((tx) => {
      const tag = tagged(`edited ${round}`)
      tx.run(
        build
          .updateTable('working')
          .set({ tag })
          .where('id', '=', idOf(Math.abs(round) % environments, 100 + Math.abs(round))),
      )
    })
  const shape = `${environments} × ${names.toLocaleString('en-US')}`
  const bare = bareSql(file, environments)
  const seen = await interleave(
    {
      first: () => timed(() => createComparer().page(mirror, cipher, args)),
      bare: () => timed(bare),
      edited: (round) => (edit(round), timed(() => page())),
      next: (round) => timed(() => page({ offset: 100 * ((round + 2) % 5) })),
      columns: (round) => timed(() => page({ columns: { offset: round + 2, limit: shownColumns } })),
      filtered: (round) => timed(() => page({ filter: `ting_${round + 30}` })),
    },
    { warmUps: 2 },
  )
  const walls = (taken: readonly Taken[]) => taken.map(({ wall }) => wall)
  const judged = shapes[0]?.names === names ? ({ on: 'cpu', goal: ratioAtMost(1.3) } as const) : undefined
  const rows: Row[] = [
    ...timeRows(`first page, ${shape}`, seen.first, { what: 'bare SQL', taken: seen.bare }, judged),
    { what: `page after an edit, ${shape}`, unit: 'ms', ours: walls(seen.edited) },
    { what: `next page, ${shape}`, unit: 'ms', ours: walls(seen.next) },
    { what: `next columns, ${shape}`, unit: 'ms', ours: walls(seen.columns) },
    { what: `filtered, ${shape}`, unit: 'ms', ours: walls(seen.filtered) },
  ]
  mirror.close()
  rmSync(folder, { recursive: true, force: true })
  return rows
}

/** The first page of Compare, and those that follow, beside one SQL query that finds the same rows. */
export const bench: Bench = async () => {
  const rows: Row[] = []
  for (const { names, environments } of shapes) rows.push(...(await measure(names, environments)))
  return rows
}
