import { describe, expect, test } from 'vitest'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed, tryPutVariables } from './support/samples.ts'

interface FeedItem {
  resource: string
  id: string
  deleted: boolean
  record: { name?: string; value?: string; etag: string } | null
}

interface FeedPage {
  items: FeedItem[]
  nextCursor: string
  more: boolean
}

const readPage = async (call: Call, cursor: string | null, limit = 100): Promise<FeedPage> => {
  const reply = await call<FeedPage>('GET', `/changes?limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`)
  expect(reply.status).toBe(200)
  return reply.body.data
}

const readAll = async (call: Call, from: string | null, limit?: number): Promise<{ items: FeedItem[]; cursor: string }> => {
  const items: FeedItem[] = []
  let cursor = from
  for (;;) {
    const page = await readPage(call, cursor, limit)
    items.push(...page.items)
    cursor = page.nextCursor
    if (!page.more) return { items, cursor }
  }
}

describe.each(databases)('the change feed on %s', (kind) => {
  const start = useServices(kind)

  test('from the beginning it gives every live record and tombstone once, in commit order', async () => {
    const { call, workspaceId } = await start()
    const { projectId, environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2', C: '3' })
    const ids = await readVariables(call)
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    await call('PATCH', `/variables/${ids.get('A')?.id}`, { value: sealed('new') })
    await call('DELETE', `${devPath}/variables/B`)
    const { items } = await readAll(call, null)
    const owner = items[1]?.id
    expect(items.map(({ resource, id, deleted }) => [resource, id, deleted])).toEqual([
      ['workspace', workspaceId, false],
      ['member', owner, false],
      ['project', projectId, false],
      ['environment', environmentId, false],
      ['variable', ids.get('C')?.id, false],
      ['version', version.body.data.id, false],
      ['variable', ids.get('A')?.id, false],
      ['variable', ids.get('B')?.id, true],
    ])
    expect(items.at(-2)?.record).toMatchObject({ name: 'A', value: sealed('new') })
    expect(items.at(-1)?.record).toBeNull()
  })

  test.each([1, 2, 7, 100])('in pages of %i it gives the same', async (limit) => {
    const { call } = await start()
    await makeEnvironment(call)
    await putVariables(call, Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`N${index}`, 'x'])))
    await call('DELETE', `${devPath}/variables`, { names: ['N3', 'N4', 'N11'] })
    const whole = await readAll(call, null, 1000)
    const paged = await readAll(call, null, limit)
    expect(paged).toEqual(whole)
  })

  test('from a cursor it gives what came after, and nothing when nothing did', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const before = await readAll(call, null)
    expect(await readAll(call, before.cursor)).toEqual({ items: [], cursor: before.cursor })
    await putVariables(call, { A: '1' })
    const after = await readAll(call, before.cursor)
    expect(after.items.map(({ resource, record }) => [resource, record?.name])).toEqual([['variable', 'A']])
  })

  test('deleting a project leaves a tombstone for everything that was in it, children first', async () => {
    const { call } = await start()
    const { projectId, environmentId } = await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    const ids = [...(await readVariables(call)).values()].map(({ id }) => id)
    const version = await call<{ id: string }>('POST', `${devPath}/versions`)
    const { cursor } = await readAll(call, null)
    await call('DELETE', '/projects/app')
    const { items } = await readAll(call, cursor)
    expect(items).toEqual([
      { resource: 'variable', id: ids[0], deleted: true, record: null },
      { resource: 'variable', id: ids[1], deleted: true, record: null },
      { resource: 'version', id: version.body.data.id, deleted: true, record: null },
      { resource: 'environment', id: environmentId, deleted: true, record: null },
      { resource: 'project', id: projectId, deleted: true, record: null },
    ])
  })

  test.each(['x', 'abc.1', '.', '0.0', "'; drop table clock; --", '1'])('the cursor %s is gone', async (cursor) => {
    const { call } = await start()
    const reply = await call('GET', `/changes?cursor=${encodeURIComponent(cursor)}`)
    expect(reply.body).toMatchObject({ success: false, code: 410 })
  })

  test('a cursor of this epoch that lies ahead of all commits is gone', async () => {
    const { call } = await start()
    const { nextCursor } = await readPage(call, null)
    const [epoch, seq] = nextCursor.split('.')
    expect((await call('GET', `/changes?cursor=${epoch}.${Number(seq) + 1}`)).status).toBe(410)
  })

  test('a follower of parallel writers misses nothing and sees each record at its last state', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const mirror = new Map<string, string>()
    let cursor: string | null = null
    const follow = async () => {
      const page: FeedPage = await readPage(call, cursor, 7)
      for (const { resource, id, record } of page.items) {
        if (resource !== 'variable') continue
        if (record === null) mirror.delete(id)
        else mirror.set(id, `${record.name} ${record.value} ${record.etag}`)
      }
      cursor = page.nextCursor
      return page.more
    }
    let writing = true
    const following = (async () => {
      while (writing || (await follow())) await follow()
    })()
    const write = async (writer: number) => {
      for (let turn = 0; turn < 15; turn++) {
        const name = `W${writer}_${turn % 5}`
        await tryPutVariables(call, { [name]: `${writer} ${turn}`, [`SHARED${turn % 3}`]: `${writer} ${turn}` })
        if (turn % 4 === 3) await call('DELETE', `${devPath}/variables`, { names: [name, `SHARED${turn % 3}`] })
      }
    }
    await Promise.all(Array.from({ length: 6 }, (_, writer) => write(writer)))
    writing = false
    await following
    while (await follow());
    const live = new Map([...(await readVariables(call))].map(([name, { id, value, etag }]) => [id, `${name} ${value} ${etag}`]))
    expect(mirror).toEqual(live)
  })
})
