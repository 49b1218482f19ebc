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
  changesBeside,
  countVariableChanges,
  entriesIn,
  getEntry,
  touchesClaimsAfter,
} from '../../electron/mirror/queue-layer.ts'
import { baseChildren, findBase, getBase, getBaseByRemote } from '../../electron/mirror/base-layer.ts'
import { deletedVersions } from '../../electron/mirror/deleted-layer.ts'
import { historyOf } from '../../electron/mirror/history-layer.ts'
import { compareCells, environmentsOf, environmentStamps, stampsOfNames, typesIn } from '../../electron/mirror/reads/compare-columns.ts'
import { listParents } from '../../electron/mirror/reads/list-parents.ts'
import { namesLike } from '../../electron/mirror/reads/names-like.ts'
import { namesOfRows, placeNames, variableNames } from '../../electron/mirror/reads/name-slices.ts'
import { rowsOfEnvironment } from '../../electron/mirror/reads/rows-of-environment.ts'
import { sealedValues } from '../../electron/mirror/reads/sealed-values.ts'
import { unverifiedCount, unverifiedIds } from '../../electron/mirror/reads/unverified.ts'
import { valueTags } from '../../electron/mirror/reads/value-tags.ts'
import { variableCounts } from '../../electron/mirror/reads/variable-counts.ts'
import { variablePlace, variablesRange, variablesWindow } from '../../electron/mirror/reads/variables-window.ts'
import { noteNamesakes } from '../../electron/mirror/superseded-layer.ts'
import { variablesOfVersion, versionsOf } from '../../electron/mirror/versions-layer.ts'
import type { MirrorDatabase } from '../../electron/mirror/schema.ts'
import { build, type Tx } from '../../electron/mirror/tx.ts'
import { findWorking, getWorking, workingChildren, workingNamed, workingRows } from '../../electron/mirror/working-layer.ts'
import type { BaseRow } from '../../electron/queue/entry.ts'
import { aChange } from '../queue/a-change.ts'
import { tempFile } from './temp-file.ts'

const noFields = { slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }

const aBoundVariable: BaseRow = {
  id: 'row',
  kind: 'variable',
  parentId: 'prod',
  remoteId: 'remote',
  fields: { name: 'KEY', value: { sealed: `v1:AAAA.${'b'.repeat(43)}`, tag: null, keyId: 'key' } },
  etag: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
}

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

/** Finds nothing, and explains what it is asked. */
const explaining = (explain: (sql: string) => void): Tx => ({
  all: (query) => (explain(query.compile().sql), []),
  get: (query) => (explain(query.compile().sql), undefined),
  each: (query) => (explain(query.compile().sql), []),
  run: (query) => (explain(query.compile().sql), { changes: 0, lastInsertRowid: 0 }),
  attempt: (work) => work(),
})

/** A pass over a whole table; one over the rows of a subquery is none, nor one over an index that holds only what is looked for. */
const fullScans = (plans: string[]) =>
  plans.filter((detail) => /^SCAN (?!wanted|window|placed|CONSTANT|\()/.test(detail) && !detail.endsWith('INDEX working_unverified'))

describe('reads on the way of every edit and every pull search by index', () => {
  test.each<{ of: string; issue: (tx: Tx) => unknown }>([
    { of: 'a row of base', issue: (tx) => getBase(tx, 'x') },
    { of: 'a row of base by the id of the service', issue: (tx) => getBaseByRemote(tx, 'variable', 'x') },
    { of: 'the children of base', issue: (tx) => baseChildren(tx, 'x') },
    { of: 'a variable of base by name', issue: (tx) => findBase(tx, 'x', 'N') },
    { of: 'a row of working', issue: (tx) => getWorking(tx, 'x') },
    { of: 'rows of working', issue: (tx) => workingRows(tx, ['x', 'y']) },
    { of: 'a variable by name', issue: (tx) => findWorking(tx, 'variable', 'x', 'N') },
    { of: 'the children of working', issue: (tx) => workingChildren(tx, 'variable', 'x') },
    { of: 'an entry', issue: (tx) => getEntry(tx, 'x') },
    { of: 'the changes of a row', issue: (tx) => changesOfRow(tx, 'x') },
    { of: 'the entries that are being sent', issue: (tx) => entriesIn(tx, 'sending') },
    { of: 'the other changes of a row', issue: (tx) => changesBeside(tx, aChange()) },
    { of: 'the number of changes of the variables of an environment', issue: (tx) => countVariableChanges(tx, 'x') },
    { of: 'the changes below a row', issue: (tx) => childChanges(tx, 'x') },
    { of: 'the create that claims a name', issue: (tx) => createClaiming(tx, 'variable', 'x', 'N') },
    { of: 'the create of a record', issue: (tx) => createOf(tx, 'variable', 'x') },
    { of: 'the create of a variable again', issue: (tx) => createAgain(tx, 'x', 'N') },
    { of: 'the deleted values of the names of new rows', issue: (tx) => noteNamesakes(tx, [aBoundVariable], 1) },
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
    issue(explaining(explain))
    expect(plans.length).toBeGreaterThan(0)
    expect(fullScans(plans)).toEqual([])
  })

  test.each<{ of: string; issue: (tx: Tx) => unknown; plan: string }>([
    { of: 'a variable of base', issue: (tx) => findBase(tx, 'x', 'N'), plan: 'parent_id=? AND name=?' },
    { of: 'a variable of working', issue: (tx) => findWorking(tx, 'variable', 'x', 'N'), plan: 'parent_id=? AND name=?' },
    { of: 'the create of a variable again', issue: (tx) => createAgain(tx, 'x', 'N'), plan: 'queue_made_again (parent_id=? AND <expr>=?)' },
  ])('$of searches for the name too: an environment may hold thousands', ({ issue, plan }) => {
    const { plans, explain } = explained()
    issue(explaining(explain))
    expect(plans).toEqual([expect.stringContaining(plan)])
  })
})

describe('a search for many values does not pass over all variables of a workspace or an environment', () => {
  // As many as a screen asks for: SQLite plans a short list in another way.
  const many = Array.from({ length: 80 }, (_, n) => `x${n}`)

  test.each<{ of: string; issue: (mirror: Mirror) => unknown; plan: string }>([
    {
      of: 'values of a screenful',
      issue: (mirror) => sealedValues(mirror, many),
      plan: 'SEARCH row USING INDEX sqlite_autoindex_working_1 (id=?)',
    },
    { of: 'names of found rows', issue: (mirror) => namesOfRows(mirror, many), plan: '(id=?)' },
    { of: 'stamps of changed names', issue: (mirror) => stampsOfNames(mirror, many, many, 'k'), plan: '(parent_id=? AND name=?)' },
    { of: 'types to compare', issue: (mirror) => typesIn(mirror, many, many), plan: '(parent_id=? AND name=?)' },
    { of: 'cells to compare', issue: (mirror) => compareCells(mirror, many, many), plan: '(parent_id=? AND name=?)' },
  ])('$of', async ({ issue, plan }) => {
    const { mirror, database, plans, explain } = explained()
    await issue({
      ...mirror,
      read: new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database }), log: ({ query }) => explain(query.sql) }),
    })
    expect(plans[0]).toContain(plan)
  })
})

test('variables of many names are searched for by name: an environment may hold thousands', () => {
  const { plans, explain } = explained()
  workingNamed(explaining(explain), 'x', ['N'])
  expect(plans).toContainEqual(expect.stringContaining('parent_id=? AND name=?'))
})

test('a range of variables is searched for from one end to the other: an environment may hold tens of thousands', () => {
  const { mirror, plans, explain } = explained()
  const ends = [
    { id: 'a', index: 0 },
    { id: 'b', index: 1 },
  ] as const
  mirror.write((tx) => {
    for (const id of ['a', 'b']) {
      tx.run(build.insertInto('working').values({ ...noFields, id, kind: 'variable', parent_id: 'x', name: id, name_key: id }))
    }
  })
  mirror.snapshot((tx) => {
    const told: Tx = {
      ...tx,
      all: (query) => (explain(query.compile().sql), tx.all(query)),
      get: (query) => (explain(query.compile().sql), tx.get(query)),
    }
    variablesRange(told, { environmentId: 'x', filter: '', ends })
  })
  const edge = 'SEARCH row USING INDEX sqlite_autoindex_working_1 (id=?)'
  expect(plans.slice(0, 3)).toEqual([edge, edge, expect.stringContaining('(name_key,name,id)>(?,?,?) AND (name_key,name,id)<(?,?,?)')])
  expect(plans.filter((detail) => detail.startsWith('SCAN') || detail.includes('B-TREE'))).toEqual([])
})

test('the history of all environments is sorted from an index alone: with their values, 100,000 rows take a third of a second', () => {
  const { plans, explain } = explained()
  historyOf(explaining(explain), null, null, 100)
  expect(plans.filter((detail) => detail.startsWith('SCAN'))).toEqual([expect.stringContaining('USING COVERING INDEX')])
})

test('variables are counted again by environment: a workspace may hold a hundred thousand', async () => {
  const { mirror, database, plans, explain } = explained()
  const read = new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database }), log: ({ query }) => explain(query.sql) })
  const watched = { ...mirror, read }
  await variableCounts(watched)
  plans.length = 0
  mirror.write((tx) => tx.run(build.insertInto('working').values({ ...noFields, id: 'x', kind: 'variable', parent_id: 'e', name: 'N' })))
  await variableCounts(watched)
  expect(plans).toEqual(['SEARCH working USING COVERING INDEX working_list (kind=? AND parent_id=?)'])
})

describe('lists of the screen search by index', () => {
  const window = { environmentId: 'x', filter: '', offset: 0, limit: 50 }
  const sorted = (by: 'type' | 'secret' | 'updated' | 'sync') => (mirror: Mirror) =>
    variablesWindow(mirror, { ...window, sort: { by, dir: 'asc' } })

  /** `sorts`: no index has this order; it sorts the rows of one environment at most, or all projects or environments. */
  test.each<{ of: string; issue: (mirror: Mirror) => unknown; sorts?: true }>([
    { of: 'a window of variables', issue: (mirror) => variablesWindow(mirror, window) },
    { of: 'a filtered window', issue: (mirror) => variablesWindow(mirror, { ...window, filter: 'a', secret: true, sync: ['queued'] }) },
    { of: 'a window by type', issue: sorted('type'), sorts: true },
    { of: 'a window by secrecy', issue: sorted('secret'), sorts: true },
    { of: 'a window by age', issue: sorted('updated'), sorts: true },
    { of: 'a window by sync state', issue: sorted('sync'), sorts: true },
    { of: 'the place of a variable', issue: (mirror) => variablePlace(mirror, { environmentId: 'x', filter: '', id: 'a' }) },
    { of: 'values of a screenful', issue: (mirror) => sealedValues(mirror, ['a', 'b']) },
    { of: 'the projects', issue: (mirror) => listParents(mirror, 'project'), sorts: true },
    { of: 'the environments', issue: (mirror) => listParents(mirror, 'environment'), sorts: true },
    { of: 'variables of all environments', issue: (mirror) => variableCounts(mirror) },
    { of: 'names of environments', issue: (mirror) => placeNames(mirror, 'environment'), sorts: true },
    { of: 'names of variables', issue: (mirror) => variableNames(mirror, 'x').next() },
    { of: 'names of found rows', issue: (mirror) => namesOfRows(mirror, ['a', 'b']) },
    { of: 'names that contain a text', issue: (mirror) => namesLike(mirror, 'x', 'a', 20), sorts: true },
    { of: 'tags of an environment', issue: (mirror) => valueTags(mirror, 'x') },
    { of: 'how many values are Unverified', issue: (mirror) => unverifiedCount(mirror) },
    { of: 'the Unverified values', issue: (mirror) => unverifiedIds(mirror, 100) },
    { of: 'environments to compare', issue: (mirror) => environmentsOf(mirror, 'x'), sorts: true },
    { of: 'stamps to compare', issue: (mirror) => environmentStamps(mirror, ['a', 'b'], 'k') },
    { of: 'stamps of changed names', issue: (mirror) => stampsOfNames(mirror, ['a', 'b'], ['N'], 'k') },
    { of: 'types to compare', issue: (mirror) => typesIn(mirror, ['a', 'b'], ['N']) },
    { of: 'cells to compare', issue: (mirror) => compareCells(mirror, ['a', 'b'], ['N']) },
    { of: 'rows to export', issue: (mirror) => mirror.snapshot((tx) => rowsOfEnvironment(tx, 'x').next()) },
    { of: 'versions', issue: (mirror) => mirror.snapshot((tx) => versionsOf(tx, 'x')) },
    { of: 'variables of a version', issue: (mirror) => mirror.snapshot((tx) => variablesOfVersion(tx, 'x')) },
    { of: 'the history of a variable', issue: (mirror) => mirror.snapshot((tx) => historyOf(tx, null, 'x', 100)), sorts: true },
    { of: 'the history of an environment', issue: (mirror) => mirror.snapshot((tx) => historyOf(tx, 'x', null, 100)), sorts: true },
    { of: 'versions of a deleted environment', issue: (mirror) => mirror.snapshot((tx) => deletedVersions(tx, 'x')), sorts: true },
  ])('$of', async ({ issue, sorts = false }) => {
    const { mirror, database, plans, explain } = explained()
    const read = new Kysely<MirrorDatabase>({ dialect: new SqliteDialect({ database }), log: ({ query }) => explain(query.sql) })
    await issue({ ...mirror, read, snapshot: (work) => work(explaining(explain)) })
    expect(plans.length).toBeGreaterThan(0)
    expect(fullScans(plans)).toEqual([])
    const sorting = plans.filter((detail) => detail.includes('TEMP B-TREE FOR ORDER BY') && !detail.includes('LAST'))
    expect(sorting.length > 0).toBe(sorts)
  })
})
