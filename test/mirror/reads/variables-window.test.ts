import SqliteDatabase from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { putBase } from '../../../electron/mirror/base-layer.ts'
import { migrate } from '../../../electron/mirror/migrate.ts'
import { allMigrations } from '../../../electron/mirror/migrations.ts'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { rowsOfEnvironment } from '../../../electron/mirror/reads/rows-of-environment.ts'
import { variableNames } from '../../../electron/mirror/reads/name-slices.ts'
import {
  variablePlace,
  variablesRange,
  variablesWindow,
  type RangeEnd,
  type WindowArgs,
} from '../../../electron/mirror/reads/variables-window.ts'
import { checkWorking, refreshRow, showNewRow, showNewRows } from '../../../electron/mirror/working-layer.ts'
import { build } from '../../../electron/mirror/tx.ts'
import { toBaseColumns } from '../../../electron/mirror/row-codec.ts'
import { newMirror, tempFile } from '../temp-file.ts'

/** In the order in which people look for them. */
const ordered = ['API_KEY', 'cert', 'Cert', 'DB', 'db_host', 'NAME', 'NAME2', 'NAME07', 'NAME10', 'NAME10_X', 'STRIPE_KEY', 'Ärger']
const mixed = ['STRIPE_KEY', 'Ärger', 'cert', 'NAME10', 'NAME07', 'db_host', 'NAME', 'NAME10_X', 'Cert', 'NAME2', 'DB', 'API_KEY'] as const
// Names that differ in case only are in the order of their code units.
const expected = ordered.with(1, 'Cert').with(2, 'cert')

const project = { id: 'p', kind: 'project', parentId: null, fields: { name: 'Shop', slug: 'shop' } } as const
const environment = { id: 'e', kind: 'environment', parentId: 'p', fields: { name: 'dev', slug: 'dev' } } as const
const variable = (name: string) => ({ id: `id of ${name}`, kind: 'variable', parentId: 'e', fields: { name } }) as const
const confirmed = { remoteId: '', etag: null, createdAt: null, updatedAt: null, updatedBy: null }
const addBase = (mirror: Mirror, rows: readonly (typeof project | typeof environment | ReturnType<typeof variable>)[]) =>
  mirror.write((tx) =>
    rows.map((row) => tx.run(build.insertInto('base').values(toBaseColumns({ ...row, ...confirmed, remoteId: `remote ${row.id}` })))),
  )

/** Parents first, as a pull brings them. */
const showPulled = (mirror: Mirror) =>
  mirror.write((tx) => {
    showNewRow(tx, project)
    showNewRow(tx, environment)
    showNewRows(tx, 3)
  })

const window = { environmentId: 'e', filter: '', offset: 0, limit: 50 }
const namesIn = async (mirror: Mirror, args: object = {}) =>
  (await variablesWindow(mirror, { ...window, ...args })).rows.map(({ name }) => name)

describe('a list of variables is in the order of people', () => {
  test.each<{ whose: string; make: () => Mirror }>([
    {
      whose: 'rows shown one by one',
      make: () => {
        const mirror = newMirror()
        addBase(mirror, [project, environment, ...mixed.map(variable)])
        mirror.write((tx) => [project, environment, ...mixed.map(variable)].forEach((row) => showNewRow(tx, row)))
        return mirror
      },
    },
    {
      whose: 'rows that a pull brings',
      make: () => {
        const mirror = newMirror()
        addBase(mirror, [project, environment, ...mixed.map(variable)])
        showPulled(mirror)
        return mirror
      },
    },
    {
      whose: 'rows that appear with their environment',
      make: () => {
        const mirror = newMirror()
        addBase(mirror, [project, environment, ...mixed.map(variable)])
        mirror.write((tx) => refreshRow(tx, 'p'))
        return mirror
      },
    },
    {
      whose: 'renamed rows',
      make: () => {
        const mirror = newMirror()
        addBase(mirror, [project, environment, ...mixed.map((name) => ({ ...variable(name), fields: { name: `OLD_${name}` } }))])
        mirror.write((tx) => {
          refreshRow(tx, 'p')
          for (const name of mixed) {
            tx.run(build.updateTable('base').set({ name }).where('id', '=', variable(name).id))
            refreshRow(tx, variable(name).id)
          }
        })
        return mirror
      },
    },
    {
      whose: 'rows of a database of an earlier Holdfast',
      make: () => {
        const file = tempFile()
        const database = new SqliteDatabase(file)
        migrate(
          database,
          allMigrations.filter(({ version }) => version < 26),
        )
        const put = (table: string, columns: Record<string, unknown>) =>
          database
            .prepare(
              `INSERT INTO ${table} (${Object.keys(columns).join(', ')}) VALUES (${Object.keys(columns)
                .map(() => '?')
                .join(', ')})`,
            )
            .run(Object.values(columns))
        for (const row of [project, environment, ...mixed.map(variable)]) {
          const columns = toBaseColumns({ ...row, ...confirmed, remoteId: `remote ${row.id}` })
          put('base', columns)
          const { id, kind, parent_id, name, slug } = columns
          put('working', { id, kind, parent_id, name, slug })
        }
        database.close()
        const opened = openMirror(file)
        if (!opened.ok) throw new Error(opened.error.message)
        onTestFinished(() => opened.value.close())
        return opened.value
      },
    },
  ])('$whose', async ({ make }) => {
    const mirror = make()
    expect(await namesIn(mirror)).toEqual(expected)
    expect(await namesIn(mirror, { sort: { by: 'name', dir: 'desc' } })).toEqual(expected.toReversed())
    expect(await namesIn(mirror, { sort: { by: 'type', dir: 'asc' } })).toEqual(expected)
    expect(await namesIn(mirror, { offset: 5, limit: 3 })).toEqual(expected.slice(5, 8))
    const places = expected.map((name) => variablePlace(mirror, { ...window, id: variable(name).id }))
    expect(await Promise.all(places)).toEqual(expected.map((_, place) => place))
    expect(mirror.snapshot(checkWorking)).toEqual([])
  })

  test('slices continue where the one before ended', async () => {
    const mirror = newMirror()
    addBase(mirror, [project, environment, ...mixed.map(variable)])
    showPulled(mirror)
    const read: string[] = []
    for await (const slice of variableNames(mirror, 'e', 5)) read.push(...slice.map(({ name }) => name))
    expect(read).toEqual(expected)
    const rows = mirror.snapshot((tx) => [...rowsOfEnvironment(tx, 'e', 5)].flat())
    expect(rows.map(({ fields }) => fields.name)).toEqual(expected)
  })
})

describe('a range of the list', () => {
  const many = Array.from({ length: 1_200 }, (_, n) => `SETTING_${n}`)
  const types = ['string', 'number', 'boolean'] as const
  const at = (name: string, index = 0): RangeEnd => ({ id: variable(name).id, index })
  const withMany = () => {
    const mirror = newMirror()
    mirror.write((tx) => {
      for (const row of [project, environment]) putBase(tx, { ...row, ...confirmed, remoteId: `remote ${row.id}` })
      for (const [n, name] of many.entries()) {
        const fields = { name, type: types[n % 3], isSecret: n % 2 === 0 }
        putBase(tx, { ...variable(name), fields, ...confirmed, remoteId: `remote ${name}`, updatedAt: `2026-11-${10 + (n % 7)}` })
      }
      refreshRow(tx, 'p')
    })
    return mirror
  }
  const rangeOf = (mirror: Mirror, ends: [RangeEnd, RangeEnd] | null, args: Partial<WindowArgs> = {}) =>
    mirror.snapshot((tx) => variablesRange(tx, { ...window, ...args, ends })).map(({ name }) => name)
  /** The whole list, read by its windows. */
  const listOf = async (mirror: Mirror, args: Partial<WindowArgs> = {}) => namesIn(mirror, { ...args, limit: many.length })

  test.each(
    (['name', 'type', 'secret', 'updated', 'sync'] as const).flatMap((by) => [
      { by, dir: 'asc' as const },
      { by, dir: 'desc' as const },
    ]),
  )('by $by, $dir: the rows between its ends, in either direction', async (sort) => {
    const mirror = withMany()
    for (const args of [{ sort }, { sort, secret: true, filter: '1' }]) {
      const list = await listOf(mirror, args)
      const [first, last] = [40, list.length - 30].map((index) => list[index] ?? '')
      const expected = list.slice(40, list.length - 29)
      expect(rangeOf(mirror, [at(first ?? ''), at(last ?? '')], args)).toEqual(expected)
      expect(rangeOf(mirror, [at(last ?? ''), at(first ?? '')], args)).toEqual(expected)
      expect(rangeOf(mirror, null, args)).toEqual(list)
    }
  })

  test('has the same ends, though a sync brought rows above it since', () => {
    const mirror = withMany()
    mirror.write((tx) => {
      putBase(tx, { ...variable('A_NEW_ONE'), ...confirmed, remoteId: 'new' })
      refreshRow(tx, variable('A_NEW_ONE').id)
    })
    expect(rangeOf(mirror, [at('SETTING_100', 100), at('SETTING_900', 900)])).toEqual(many.slice(100, 901))
  })

  test.each<{ of: string; ends: [RangeEnd, RangeEnd]; names: string[] }>([
    { of: 'one row', ends: [at('SETTING_7', 7), at('SETTING_7', 7)], names: ['SETTING_7'] },
    { of: 'a row that is not loaded', ends: [at('SETTING_7', 7), { id: null, index: 9 }], names: many.slice(7, 10) },
    { of: 'a row that was deleted since', ends: [at('GONE', 9), at('SETTING_7', 7)], names: many.slice(7, 10) },
    { of: 'an end past the last row', ends: [at('SETTING_1198'), { id: null, index: 1_300 }], names: many.slice(1198) },
  ])('$of ends it too', ({ ends, names }) => {
    expect(rangeOf(withMany(), ends)).toEqual(names)
  })

  test('of a list without rows has none', () => {
    expect(rangeOf(newMirror(), [at('GONE'), { id: null, index: 3 }])).toEqual([])
  })
})
