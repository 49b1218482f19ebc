import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { bestOf } from '../../../electron/app/find/best-of.ts'
import { findNames } from '../../../electron/app/find/find-names.ts'
import { foldQuery } from '../../../electron/match/fold.ts'
import { createNameIndex, type Hit } from '../../../electron/app/find/name-index.ts'
import { createStage, serviceRuns, valueOf } from '../workspaces/start-app.ts'
import { asShown } from '../../support/as-shown.ts'

const stage = createStage()
afterEach(stage.clear)

describe('the index', () => {
  test('gives exactly the names that hold the query, each once, with all that bear it', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'B', '_', '1', 'é', '🔑'), minLength: 1, maxLength: 9 })
    fc.assert(
      fc.property(fc.array(name, { maxLength: 40 }), name, (names, text) => {
        const index = createNameIndex<number>()
        for (const [position, each] of names.entries()) index.add(each, position)
        const query = foldQuery(text)
        const best = bestOf<Hit<number>>(1000)
        index.scan(query, best)
        const wanted = String.fromCharCode(...query)
        const holds = (each: string): boolean => {
          let row = 0
          for (const code of each.toLowerCase()) for (const unit of code.split('')) if (unit === wanted[row]) row += 1
          return row === wanted.length
        }
        const found = best.take()
        expect(found.map((hit) => hit.name).toSorted()).toEqual([...new Set(names.filter(holds))].toSorted())
        for (const hit of found) expect(hit.bearers).toEqual(names.flatMap((each, position) => (each === hit.name ? [position] : [])))
      }),
      { numRuns: 500 },
    )
  })

  test('finds the same for a text that is typed letter by letter, taken back and typed on, with names that come and go meanwhile', () => {
    const unit = fc.constantFrom('a', 'B', '_', '1', 'é')
    const name = fc.string({ unit, minLength: 1, maxLength: 12 })
    const step = fc.oneof(
      fc.record({ type: unit }),
      fc.record({ type: unit }),
      fc.record({ back: fc.nat(3) }),
      fc.record({ add: name }),
      fc.record({ remove: fc.nat() }),
    )
    fc.assert(
      fc.property(
        fc.array(name, { maxLength: 40 }),
        fc.array(step, { maxLength: 12 }),
        fc.integer({ min: 1, max: 6 }),
        (names, steps, limit) => {
          const index = createNameIndex<number>()
          const live = names.map((each, position) => ({ each, position }))
          for (const { each, position } of live) index.add(each, position)
          const found = (of: typeof index, text: string) => {
            const best = bestOf<Hit<number>>(limit)
            of.scan(foldQuery(text), best)
            return best.take().map((hit) => [hit.name, [...hit.bearers]])
          }
          let text = 'a'
          for (const [turn, each] of steps.entries()) {
            if ('type' in each) text += each.type
            if ('back' in each) text = text.slice(0, Math.max(1, text.length - each.back))
            if ('add' in each) {
              live.push({ each: each.add, position: 100 + turn })
              index.add(each.add, 100 + turn)
            }
            const [gone] = 'remove' in each && live.length > 0 ? live.splice(each.remove % live.length, 1) : []
            if (gone !== undefined) index.remove(gone.each, (bearer) => bearer === gone.position)
            const anew = createNameIndex<number>()
            const inOrder = [...names.map((one) => ({ each: one, position: -1 })), ...live.filter(({ position }) => position >= 100)]
            // The same names in the same order, so that equals come out alike.
            for (const one of inOrder) anew.add(one.each, one.position)
            for (const one of inOrder) anew.remove(one.each, (bearer) => bearer === one.position)
            for (const one of live) anew.add(one.each, one.position)
            expect(found(index, text)).toEqual(found(anew, text))
          }
        },
      ),
      { numRuns: 400 },
    )
  })

  test('takes more names than it first had room for', () => {
    const index = createNameIndex<number>()
    for (let n = 0; n < 10_000; n += 1) index.add(`SERVICE_SETTING_NUMBER_${n}`, n)
    const best = bestOf<Hit<number>>(3)
    index.scan(foldQuery('number9999'), best)
    expect(best.take().map((hit) => hit.name)).toEqual(['SERVICE_SETTING_NUMBER_9999'])
  })
})

describe('a text', () => {
  test('of white space finds nothing', () => {
    expect(findNames([{ id: 'w', name: 'Ours', names: null }], ' \t', 10)).toEqual([])
  })

  test('finds a workspace that is not open by its name', () => {
    expect(findNames([{ id: 'w', name: 'Our team', names: null }], 'tea', 10)).toMatchObject([
      { kind: 'workspace', workspaceId: 'w', id: 'w', name: 'Our team', where: '', ranges: [[4, 7]] },
    ])
  })
})

describe('the application', () => {
  test('finds names of every kind, what was just created, and what keys that are locked do not hide', async () => {
    const it = await stage.start()
    const { workspaceId } = valueOf(await it.command('workspaces.look-around', {}))
    const search = async (text: string, limit = 50) => valueOf(await it.query('find.search', { text, limit }))
    expect(await search('')).toEqual([])
    const urls = await it.until('find.search', { text: 'database url', limit: 50 }, (found) => found.length >= 3)
    expect(urls[0]).toMatchObject({
      kind: 'variable',
      workspaceId,
      name: 'DATABASE_URL',
      where: 'Web shop / Development',
      ranges: [
        [0, 8],
        [9, 12],
      ],
    })
    expect((await search('web shop'))[0]).toMatchObject({ kind: 'project', name: 'Web shop' })
    expect((await search('staging')).map((each) => each.kind)).toContain('environment')
    expect(await search('database url', 2)).toHaveLength(2)

    const environmentId = urls[0]?.environmentId ?? ''
    valueOf(
      await it.command('variables.create', { workspaceId, environmentId, name: 'XYLOPHONE', value: '', type: 'string', isSecret: false }),
    )
    expect(await search('xylo')).toMatchObject([{ name: 'XYLOPHONE', environmentId }])
    valueOf(await it.command('undo.undo', { workspaceId }))
    expect(await search('xylo')).toEqual([])
    valueOf(await it.command('keys.lock', {}))
    expect((await search('database url')).length).toBe(urls.length)
  })

  test('finds what is in a workspace that nobody opened in this run, and opens nothing for it', async () => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'vault', passphrase: 'correct horse battery' }))
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', { name: 'Mine' }))
    const { id: projectId } = valueOf(await it.command('projects.create', { workspaceId, name: 'Harbour' }))
    const { id: environmentId } = valueOf(await it.command('environments.create', { workspaceId, projectId, name: 'Live' }))
    valueOf(
      await it.command('variables.create', { workspaceId, environmentId, name: 'TIDE_TABLE', value: 'x', type: 'string', isSecret: true }),
    )
    await it.app.close()

    const next = await stage.start({ dataDir: it.dataDir })
    expect(valueOf(await next.query('find.search', { text: 'tide', limit: 5 }))).toMatchObject([
      { kind: 'variable', workspaceId, name: 'TIDE_TABLE', where: 'Harbour / Live', environmentId },
    ])
    expect(serviceRuns(next, workspaceId)).toBe(false)
    // Opened and changed, it is found by its new name.
    valueOf(await next.command('keys.unlock', { passphrase: 'correct horse battery' }))
    const [variable] = valueOf(await next.query('find.search', { text: 'tide', limit: 5 }))
    valueOf(await next.command('variables.update', { seen: asShown, workspaceId, id: variable?.id ?? '', name: 'EBB_TABLE' }))
    expect(valueOf(await next.query('find.search', { text: 'tide', limit: 5 }))).toEqual([])
    expect(valueOf(await next.query('find.search', { text: 'ebb', limit: 5 }))).toMatchObject([{ name: 'EBB_TABLE' }])
  })
})
