import { describe, expect, test } from 'vitest'
import { reusable } from '../../electron/mirror/reusable.ts'
import type { RowColumns } from '../../electron/mirror/schema.ts'
import { build } from '../../electron/mirror/tx.ts'
import { newMirror } from './temp-file.ts'

const row = (more: Partial<RowColumns>): RowColumns => ({
  id: 'a',
  kind: 'variable',
  parent_id: 'e',
  name: 'A',
  slug: null,
  sealed: null,
  tag: null,
  key_id: null,
  type: null,
  is_secret: null,
  ...more,
})

describe('a query that is built once', () => {
  test('is built at its first use and never again', () => {
    let built = 0
    const named = reusable(({ name }: { name: string }) => {
      built += 1
      return build.selectFrom('working').select('id').where('name', '=', name)
    })
    expect(built).toBe(0)
    const [first, second] = [named({ name: 'A' }).compile(), named({ name: 'B' }).compile()]
    expect(built).toBe(1)
    expect(second.sql).toBe(first.sql)
    expect([first.parameters, second.parameters]).toEqual([['A'], ['B']])
  })

  test('takes an argument where it stands, twice and between values of its own', () => {
    const query = reusable(({ a, b }: { a: string; b: string }) =>
      build.selectFrom('working').select('id').where('name', 'in', [b, a]).where('kind', '=', 'project').where('slug', '=', a),
    )
    expect(query({ a: '1', b: '2' }).compile().parameters).toEqual(['2', '1', 'project', '1'])
  })

  test('does on a database what the query built anew would do', () => {
    const mirror = newMirror()
    const put = reusable((columns: RowColumns) =>
      build
        .insertInto('working')
        .values(columns)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(columns)),
    )
    const below = reusable(({ parentId }: { parentId: string | null }) =>
      build.selectFrom('working').selectAll().where('parent_id', 'is', parentId).orderBy('id'),
    )
    mirror.write((tx) => {
      tx.run(put(row({})))
      tx.run(put(row({ id: 'b', parent_id: null, name: null, slug: 's', kind: 'project' })))
      tx.run(put(row({ name: 'CHANGED', is_secret: 1 })))
      expect(tx.all(below({ parentId: 'e' }))).toEqual([{ ...row({ name: 'CHANGED', is_secret: 1 }), name_key: '' }])
      expect(tx.all(below({ parentId: null })).map(({ id }) => id)).toEqual(['b'])
    })
  })
})
