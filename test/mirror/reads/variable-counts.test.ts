import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { variableCounts } from '../../../electron/mirror/reads/variable-counts.ts'
import type { MirrorDatabase } from '../../../electron/mirror/schema.ts'
import { build, type Tx } from '../../../electron/mirror/tx.ts'
import { newMirror } from '../temp-file.ts'

const fields = { slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }
const add = (tx: Tx, id: string, environmentId: string) =>
  tx.run(build.insertInto('working').values({ ...fields, id, kind: 'variable', parent_id: environmentId, name: id }))
const move = (tx: Tx, id: string, environmentId: string) =>
  tx.run(build.updateTable('working').set({ parent_id: environmentId }).where('id', '=', id))
const remove = (tx: Tx, id: string) => tx.run(build.deleteFrom('working').where('id', '=', id))

/** The environments that have variables. */
const countsOf = async (mirror: Mirror) => Object.fromEntries([...(await variableCounts(mirror))].filter(([, n]) => n > 0))

/** Two variables in `a`, one in `b`, counted. */
async function counted(): Promise<Mirror> {
  const mirror = newMirror()
  mirror.write((tx) => {
    for (const [id, environmentId] of [['1', 'a'] as const, ['2', 'a'] as const, ['3', 'b'] as const]) add(tx, id, environmentId)
  })
  expect(await countsOf(mirror)).toEqual({ a: 2, b: 1 })
  return mirror
}

test.each<{ of: string; write: (tx: Tx) => unknown; counts: Record<string, number> }>([
  { of: 'a new variable', write: (tx) => add(tx, '4', 'b'), counts: { a: 2, b: 2 } },
  { of: 'the first variable of an environment', write: (tx) => add(tx, '4', 'c'), counts: { a: 2, b: 1, c: 1 } },
  { of: 'a deleted variable', write: (tx) => remove(tx, '1'), counts: { a: 1, b: 1 } },
  { of: 'the last variable of an environment', write: (tx) => remove(tx, '3'), counts: { a: 2 } },
  { of: 'a moved variable, in both environments', write: (tx) => move(tx, '1', 'b'), counts: { a: 1, b: 2 } },
  {
    of: 'more variables than the log of writes keeps',
    write: (tx) => {
      for (let n = 0; n < 16_001; n += 1) add(tx, `more ${n}`, 'b')
    },
    counts: { a: 2, b: 16_002 },
  },
])('counts that were read before include $of', async ({ write, counts }) => {
  const mirror = await counted()
  mirror.write(write)
  expect(await countsOf(mirror)).toEqual(counts)
})

test('a write that was rolled back leaves the counts as they were', async () => {
  const mirror = await counted()
  const fail = () =>
    mirror.write((tx) => {
      add(tx, '4', 'b')
      throw new Error('rolled back')
    })
  expect(fail).toThrow('rolled back')
  expect(await countsOf(mirror)).toEqual({ a: 2, b: 1 })
})

test('only environments that were written to are counted again', async () => {
  const mirror = newMirror()
  mirror.write((tx) => {
    for (let n = 0; n < 50; n += 1) add(tx, `${n}`, `e${n}`)
  })
  const database = new SqliteDatabase(mirror.file)
  onTestFinished(() => void database.close())
  const asked: unknown[] = []
  const read = new Kysely<MirrorDatabase>({
    dialect: new SqliteDialect({ database }),
    log: ({ query }) => void asked.push(query.parameters),
  })
  const watched = { ...mirror, read }
  expect((await variableCounts(watched)).size).toBe(50)
  expect((await variableCounts(watched)).size).toBe(50)
  expect(asked.splice(0)).toEqual([['variable']])
  mirror.write((tx) => add(tx, 'new', 'e7'))
  expect((await variableCounts(watched)).get('e7')).toBe(2)
  expect(asked).toEqual([['variable', 'e7']])
})
