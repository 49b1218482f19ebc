import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findNames } from '../../../electron/app/find/find-names.ts'
import { createNamesOfAll } from '../../../electron/app/find/names-of-all.ts'
import { readNames, type WorkspaceNames } from '../../../electron/app/find/workspace-names.ts'
import { openMirror } from '../../../electron/mirror/open-mirror.ts'
import { openReader } from '../../../electron/mirror/open-reader.ts'
import { build, type Tx } from '../../../electron/mirror/tx.ts'
import { tempFile } from '../../mirror/temp-file.ts'

const fields = { slug: null, sealed: null, tag: null, key_id: null, type: null, is_secret: null }

type Row = { id: string; kind: 'project' | 'environment' | 'variable'; parent_id: string | null; name: string }

const put = (tx: Tx, row: Row) =>
  tx.run(
    build
      .insertInto('working')
      .values({ ...fields, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
  )

function open() {
  const file = tempFile()
  const opened = openMirror(file)
  if (!opened.ok) throw new Error(opened.error.message)
  const mirror = opened.value
  mirror.write((tx) => {
    put(tx, { id: 'p', kind: 'project', parent_id: null, name: 'Shop' })
    put(tx, { id: 'e', kind: 'environment', parent_id: 'p', name: 'Live' })
  })
  return { file, mirror }
}

const found = (names: WorkspaceNames | null, text: string) =>
  findNames([{ id: 'w', name: '~', names }], text, 50)
    .map(({ id, name, where }) => `${id} ${name} in ${where}`)
    .toSorted()

describe('the names of a workspace that is open', () => {
  test('follow every write as if they were read anew', async () => {
    const { mirror } = open()
    onTestFinished(() => mirror.close())
    const all = createNamesOfAll()
    const id = fc.constantFrom('1', '2', '3', '4')
    const name = fc.constantFrom('ALPHA', 'BETA', 'GAMMA')
    const step = fc.oneof(
      fc.record({ do: fc.constant('put' as const), id, name }),
      fc.record({ do: fc.constant('delete' as const), id, name }),
      fc.record({ do: fc.constant('rename' as const), id: fc.constantFrom('p', 'e'), name }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        mirror.write((tx) => {
          for (const each of steps) {
            if (each.do === 'put') put(tx, { id: each.id, kind: 'variable', parent_id: 'e', name: each.name })
            else if (each.do === 'delete') tx.run(build.deleteFrom('working').where('id', '=', each.id))
            else tx.run(build.updateTable('working').set({ name: each.name }).where('id', '=', each.id))
          }
        })
        const names = await all.open('w', mirror)
        const anew = await readNames(mirror)
        for (const text of ['a', 'alpha', 'beta', 'gm']) expect(found(names, text)).toEqual(found(anew, text))
      }),
      { numRuns: 60 },
    )
  })

  test('are read anew when too much was written to tell', async () => {
    const { mirror } = open()
    onTestFinished(() => mirror.close())
    const all = createNamesOfAll()
    await all.open('w', mirror)
    mirror.write((tx) => {
      for (let n = 0; n < 2500; n += 1) put(tx, { id: `${n}`, kind: 'variable', parent_id: 'e', name: `SETTING_${n}` })
    })
    expect(found(await all.open('w', mirror), 'setting2499')).toEqual(
      ['2499 SETTING_2499 in Live'].map((line) => line.replace('Live', 'Shop / Live')),
    )
  })
})

describe('the names of a workspace that is not open', () => {
  test('are read once, and its database is let go of', async () => {
    const { file, mirror } = open()
    mirror.close()
    const all = createNamesOfAll()
    let opened = 0
    const reader = () => {
      opened += 1
      return openReader(file)
    }
    expect(found(await all.closed('w', reader), 'live')).toEqual(['e Live in Shop'])
    await all.closed('w', reader)
    expect(opened).toBe(1)
  })

  test('are not to be had where there is no database, and asked for again', async () => {
    const all = createNamesOfAll()
    expect(await all.closed('w', () => openReader(tempFile()))).toBeNull()
    const { file, mirror } = open()
    mirror.close()
    expect(await all.closed('w', () => openReader(file))).not.toBeNull()
  })
})
