import SqliteDatabase from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import {
  childChanges,
  changesOfRow,
  createAgain,
  createClaiming,
  createOf,
  getEntry,
  touchesClaimsAfter,
} from '../../electron/mirror/queue-layer.ts'
import { baseChildren, findBase, getBase, getBaseByRemote } from '../../electron/mirror/base-layer.ts'
import { listParents } from '../../electron/mirror/reads/list-parents.ts'
import { sealedValues } from '../../electron/mirror/reads/sealed-values.ts'
import { variablesWindow } from '../../electron/mirror/reads/variables-window.ts'
import type { MirrorDatabase } from '../../electron/mirror/schema.ts'
import type { Tx } from '../../electron/mirror/tx.ts'
import { findWorking, getWorking, workingChildren } from '../../electron/mirror/working-layer.ts'
import { aChange } from '../queue/a-change.ts'
import { tempFile } from './temp-file.ts'

/** A database of the real schema, and how SQLite would run each statement given to `explain` on it. */
function explained() {
  const file = tempFile()
  const mirror = openMirror(file)
  if (!mirror.ok) throw new Error(mirror.error.message)
  onTestFinished(() => mirror.value.close())
  const plans: string[] = []
  const database = new SqliteDatabase(file)
  onTestFinished(() => void database.close())
  const explain = (sql: string) => {
    const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...[...sql.matchAll(/\?/g)].map(() => 'x')) as { detail: string }[]
    plans.push(...rows.map(({ detail }) => detail))
  }
  return { mirror: mirror.value, database, plans, explain }
}

/** A pass over a whole table; one over the rows of a subquery, or of a short window, is none. */
const fullScans = (plans: string[]) => plans.filter((detail) => /^SCAN (?!window|CONSTANT|\()/.test(detail))

describe('reads on the way of every edit and every pull search by index', () => {
  test.each<{ of: string; issue: (tx: Tx) => unknown }>([
    { of: 'a row of base', issue: (tx) => getBase(tx, 'x') },
    { of: 'a row of base by the id of the service', issue: (tx) => getBaseByRemote(tx, 'variable', 'x') },
    { of: 'the children of base', issue: (tx) => baseChildren(tx, 'x') },
    { of: 'a variable of base by name', issue: (tx) => findBase(tx, 'x', 'N') },
    { of: 'a row of working', issue: (tx) => getWorking(tx, 'x') },
    { of: 'a variable by name', issue: (tx) => findWorking(tx, 'variable', 'x', 'N') },
    { of: 'the children of working', issue: (tx) => workingChildren(tx, 'variable', 'x') },
    { of: 'an entry', issue: (tx) => getEntry(tx, 'x') },
    { of: 'the changes of a row', issue: (tx) => changesOfRow(tx, 'x') },
    { of: 'the changes below a row', issue: (tx) => childChanges(tx, 'x') },
    { of: 'the create that claims a name', issue: (tx) => createClaiming(tx, 'variable', 'x', 'N') },
    { of: 'the create of a record', issue: (tx) => createOf(tx, 'variable', 'x') },
    { of: 'the create of a variable again', issue: (tx) => createAgain(tx, 'x', 'N') },
    {
      of: 'later changes of a name',
      issue: (tx) =>
        touchesClaimsAfter(tx, aChange(), [
          { parentId: 'x', key: 'A' },
          { parentId: 'x', key: 'B' },
        ]),
    },
  ])('$of', ({ issue }) => {
    const { plans, explain } = explained()
    issue({
      all: (query) => (explain(query.compile().sql), []),
      get: (query) => (explain(query.compile().sql), undefined),
      run: (query) => (explain(query.compile().sql), { changes: 0, lastInsertRowid: 0 }),
    })
    expect(plans.length).toBeGreaterThan(0)
    expect(fullScans(plans)).toEqual([])
  })

  test.each<{ of: string; issue: (tx: Tx) => unknown; plan: string }>([
    { of: 'a variable of base', issue: (tx) => findBase(tx, 'x', 'N'), plan: 'parent_id=? AND name=?' },
    { of: 'the create of a variable again', issue: (tx) => createAgain(tx, 'x', 'N'), plan: 'queue_made_again (parent_id=? AND <expr>=?)' },
  ])('$of searches for the name too: an environment may hold thousands', ({ issue, plan }) => {
    const { plans, explain } = explained()
    issue({ all: () => [], get: (query) => (explain(query.compile().sql), undefined), run: () => ({ changes: 0, lastInsertRowid: 0 }) })
    expect(plans).toEqual([expect.stringContaining(plan)])
  })
})

describe('reads of the screen search by index', () => {
  test.each<{ of: string; issue: (mirror: Mirror) => Promise<unknown>; sorts: boolean }>([
    {
      of: 'a window of variables',
      issue: (mirror) => variablesWindow(mirror, { environmentId: 'x', filter: '', offset: 0, limit: 50 }),
      sorts: false,
    },
    { of: 'values of a screenful', issue: (mirror) => sealedValues(mirror, ['a', 'b']), sorts: false },
    { of: 'the environments', issue: (mirror) => listParents(mirror, 'environment'), sorts: true },
  ])('$of', async ({ issue, sorts }) => {
    const { mirror, database, plans, explain } = explained()
    const read = new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database }), log: ({ query }) => explain(query.sql) })
    await issue({ ...mirror, read })
    expect(plans.length).toBeGreaterThan(0)
    expect(fullScans(plans)).toEqual([])
    if (!sorts) expect(plans.filter((detail) => detail.includes('TEMP B-TREE FOR ORDER BY') && !detail.includes('LAST'))).toEqual([])
  })
})
