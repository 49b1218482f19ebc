import { describe, expect, test } from 'vitest'
import { build, type Tx } from '../../electron/mirror/tx.ts'
import { newMirror } from './temp-file.ts'

const fields = { slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }
const add = (tx: Tx, id: string, name: string) =>
  tx.run(build.insertInto('working').values({ ...fields, id, kind: 'variable', parent_id: 'e', name }))

describe('what is written to the working layer is told', () => {
  test('with the names before and since', () => {
    const { write, touches } = newMirror()
    const told = (mark: number) => touches.since(mark)?.map(({ id, parentId, name }) => `${id} ${parentId} ${name}`)
    const start = touches.mark()
    write((tx) => add(tx, '1', 'A'))
    expect(told(start)).toEqual(['1 e A'])
    const added = touches.mark()
    write((tx) => tx.run(build.updateTable('working').set({ name: 'B' }).where('id', '=', '1')))
    expect(told(added)).toEqual(['1 e A', '1 e B'])
    const renamed = touches.mark()
    write((tx) => tx.run(build.deleteFrom('working')))
    expect(told(renamed)).toEqual(['1 e B'])
    expect(told(touches.mark())).toEqual([])
  })

  test('too much is said to be too much, and what came last is still known', () => {
    const { write, touches } = newMirror()
    const start = touches.mark()
    write((tx) => {
      for (let n = 0; n < 16_001; n += 1) add(tx, `${n}`, `N${n}`)
    })
    expect(touches.since(start)).toBeNull()
    const before = touches.mark()
    expect(before).toBe(start + 16_001)
    write((tx) => add(tx, 'last', 'LAST'))
    expect(touches.since(before)).toEqual([{ id: 'last', kind: 'variable', parentId: 'e', name: 'LAST' }])
  })
})
