import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createComparer } from '../../electron/app/compare/compare-page.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import type { WorkingTable } from '../../electron/mirror/schema.ts'
import { build } from '../../electron/mirror/tx.ts'
import type { Bench, BenchRow } from './main.ts'

const shapes = [
  { names: 25_000, environments: 4 },
  { names: 1000, environments: 100 },
]
const rounds = 15
const cipher = createWorkspaceCipher(new Uint8Array(randomBytes(32)))
const tagged = (text: string): string => createHash('sha256').update(text).digest('base64url')
const slugOf = (e: number): string => `env-${String(e).padStart(3, '0')}`
const idOf = (e: number, n: number): string => `${slugOf(e)}-${String(n).padStart(28, '0')}`

/** A third of the names the same everywhere, a third different everywhere, a third of two values. */
function fill(mirror: Mirror, names: number, environments: number): void {
  const none = { parent_id: null, slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }
  mirror.write((tx) => {
    const add = (row: Partial<WorkingTable> & Pick<WorkingTable, 'id' | 'kind' | 'name'>) =>
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

/** The usual way: all rows of all environments into objects, grouped by name, each group judged by itself. */
async function naive({ read }: Mirror): Promise<number> {
  const rows = await read
    .selectFrom('working as row')
    .innerJoin('working as environment', 'environment.id', 'row.parent_id')
    .select(['row.id', 'row.parent_id', 'row.name', 'row.tag', 'row.key_id', 'row.type', 'row.is_secret'])
    .where('environment.parent_id', '=', 'project')
    .execute()
  const byName = Map.groupBy(rows, (row) => row.name)
  const grid = [...byName]
    .map(([name, cells]) => ({ name, cells, values: new Set(cells.map((cell) => `${cell.key_id}.${cell.tag}`)).size }))
    .toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  return grid.filter((row) => row.values > 1).length
}

async function times(work: (round: number) => Promise<unknown>): Promise<{ 'median ms': string; 'best ms': string; 'worst ms': string }> {
  const taken: number[] = []
  for (let round = -2; round < rounds; round += 1) {
    const begun = performance.now()
    await work(round)
    if (round >= 0) taken.push(performance.now() - begun)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (place: number) => (sorted[place] ?? 0).toFixed(1)
  return { 'median ms': at(Math.floor(rounds / 2)), 'best ms': at(0), 'worst ms': at(rounds - 1) }
}

async function measure(names: number, environments: number): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const opened = openMirror(join(folder, 'mirror.sqlite'))
  if (!opened.ok) throw new Error(opened.error.message)
  const mirror = opened.value
  fill(mirror, names, environments)
  const compare = createComparer()
  const only = 'differences' as const
  // As the window asks: a hundred rows, and the columns in view.
  const args = { projectId: 'project', filter: '', only, offset: names / 4, limit: 120, columns: { offset: 0, limit: 12 } }
  const page = (change: Partial<typeof args> & { environmentIds?: string[] } = {}) => compare.page(mirror, cipher, { ...args, ...change })
  const edit = (round: number) =>
    mirror.write((tx) => {
      const tag = tagged(`edited ${round}`)
      tx.run(
        build
          .updateTable('working')
          .set({ tag })
          .where('id', '=', idOf(round % environments, 100 + round)),
      )
    })
  const shape = `${names.toLocaleString('en-US')} × ${environments}`
  const pair = [slugOf(0), slugOf(environments - 1)]
  const rows = [
    { shape, what: 'first page', ...(await times(() => createComparer().page(mirror, cipher, args))) },
    { shape, what: 'page after an edit', ...(await times((round) => (edit(round), page()))) },
    { shape, what: 'next page', ...(await times((round) => page({ offset: 100 * ((round + 2) % 5) }))) },
    { shape, what: 'next columns', ...(await times((round) => page({ columns: { offset: round + 2, limit: 12 } }))) },
    { shape, what: 'filtered', ...(await times((round) => page({ filter: `ting_${round + 30}` }))) },
    { shape, what: 'two side by side, after an edit', ...(await times((round) => (edit(round), page({ environmentIds: pair })))) },
    { shape, what: 'rival: all rows joined in JavaScript, no page', ...(await times(() => naive(mirror))) },
  ]
  mirror.close()
  rmSync(folder, { recursive: true, force: true })
  return rows
}

/** Projects of 100,000 variables; the goal is under 50 ms a page. */
export const bench: Bench = async () => {
  const rows: BenchRow[] = []
  for (const { names, environments } of shapes) rows.push(...(await measure(names, environments)))
  return rows
}
