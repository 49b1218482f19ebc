import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createComparer } from '../../electron/app/compare/compare-page.ts'
import { createWorkspaceCipher } from '../../electron/cipher/workspace-cipher.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { setMeta } from '../../electron/mirror/meta.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import type { WorkingTable } from '../../electron/mirror/schema.ts'
import { build } from '../../electron/mirror/tx.ts'
import type { Bench } from './main.ts'

const perEnvironment = 20_000
const environments = ['dev', 'preview', 'prod', 'qa', 'stage']
const rounds = 15
const cipher = createWorkspaceCipher(new Uint8Array(randomBytes(32)))
const tagged = (text: string): string => createHash('sha256').update(text).digest('base64url')

/** A third of the names the same everywhere, a third different everywhere, a third of two values; one in eleven missing. */
function fill(mirror: Mirror): void {
  const none = { parent_id: null, slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }
  mirror.write((tx) => {
    const add = (row: Partial<WorkingTable> & Pick<WorkingTable, 'id' | 'kind' | 'name'>) =>
      tx.run(build.insertInto('working').values({ ...none, ...row }))
    add({ id: 'project', kind: 'project', name: 'Shop', slug: 'shop' })
    for (const [e, slug] of environments.entries()) {
      add({ id: slug, kind: 'environment', parent_id: 'project', name: slug, slug })
      for (let n = 0; n < perEnvironment; n += 1) {
        if ((n * 7 + e * 13) % 11 === 0) continue
        const value = n % 3 === 0 ? `same ${n}` : n % 3 === 1 ? `${e} ${n}` : `${e < 3} ${n}`
        add({
          id: `${slug}-${String(n).padStart(28, '0')}`,
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
    .selectFrom('working')
    .select(['id', 'parent_id', 'name', 'tag', 'key_id', 'type', 'is_secret'])
    .where('kind', '=', 'variable')
    .where('parent_id', 'in', environments)
    .execute()
  const byName = Map.groupBy(rows, (row) => row.name)
  const grid = [...byName]
    .map(([name, cells]) => ({ name, cells, values: new Set(cells.map((cell) => `${cell.key_id}.${cell.tag}`)).size }))
    .toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
  return grid.filter((row) => row.cells.length < environments.length || row.values > 1).length
}

async function times(work: (round: number) => Promise<unknown>): Promise<{ 'median ms': string; 'best ms': string }> {
  const taken: number[] = []
  for (let round = -3; round < rounds; round += 1) {
    const begun = performance.now()
    await work(round)
    if (round >= 0) taken.push(performance.now() - begun)
  }
  const sorted = taken.toSorted((a, b) => a - b)
  return { 'median ms': (sorted[Math.floor(rounds / 2)] ?? 0).toFixed(1), 'best ms': (sorted[0] ?? 0).toFixed(1) }
}

/** A project of 100,000 variables in 5 environments; the goal is under 50 ms for a page after a change. */
export const bench: Bench = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
  const opened = openMirror(join(folder, 'mirror.sqlite'))
  if (!opened.ok) throw new Error(opened.error.message)
  const mirror = opened.value
  fill(mirror)
  const compare = createComparer()
  const args = { projectId: 'project', filter: '', only: 'differences' as const, offset: 5000, limit: 100 }
  const edit = () => mirror.write((tx) => setMeta(tx, 'last-synced-at', String(performance.now())))
  const rows = [
    {
      what: 'page after a change',
      ...(await times(() => {
        edit()
        return compare(mirror, cipher, args)
      })),
    },
    { what: 'next page', ...(await times((round) => compare(mirror, cipher, { ...args, offset: 100 * (round + 3) }))) },
    { what: 'filtered', ...(await times((round) => compare(mirror, cipher, { ...args, filter: `ting_${round + 30}` }))) },
    { what: 'rival: all rows joined in JavaScript, no page', ...(await times(() => naive(mirror))) },
  ]
  mirror.close()
  rmSync(folder, { recursive: true, force: true })
  return rows
}
