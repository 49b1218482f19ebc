import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { client } from './support/client.ts'
import type { Call } from './support/client.ts'
import { createDatabase } from './support/create-database.ts'
import { runService } from './support/run-service.ts'
import type { Running } from './support/run-service.ts'
import { devPath, makeEnvironment, readVariables, sealed, tryPutVariables } from './support/samples.ts'
import { placeOptions } from './support/place-options.ts'

describe('two processes on one PostgreSQL', () => {
  let running: Running[]
  let calls: [Call, Call]

  beforeAll(async () => {
    const place = placeOptions({ databaseUrl: await createDatabase() })
    // Both at once on an empty database: one of them migrates and makes the workspace.
    running = await Promise.all(
      [0, 1].map(() => runService('--parent-watch', ...place, '--log-level', 'error', '--requests-per-minute', '0')),
    )
    const apiKey = running.find((one) => one.apiKey !== undefined)?.apiKey ?? ''
    const [first, second] = running.map(({ url }) => client(url, apiKey))
    if (first === undefined || second === undefined) throw new Error('two processes should run')
    calls = [first, second]
    await makeEnvironment(first)
  })
  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()))
  })

  test('they serve one workspace, made once', async () => {
    expect(new Set(running.map(({ workspaceId }) => workspaceId)).size).toBe(1)
    expect(running.filter(({ apiKey }) => apiKey !== undefined)).toHaveLength(1)
    const replies = await Promise.all(calls.map((call) => call('GET', devPath)))
    expect(replies[0]?.body).toEqual(replies[1]?.body)
  })

  test('racing writers with If-Match lose no update', async () => {
    const made = await calls[0]<{ id: string }>('POST', `${devPath}/variables`, { name: 'COUNTER', value: sealed('0') })
    const path = `/variables/${made.body.data.id}`
    const count = (value: string) => Number(Buffer.from(value.slice(3), 'base64').subarray(28).toString())
    let stale = 0
    const increment = async (call: Call) => {
      for (let done = 0; done < 10;) {
        const read = await call<{ value: string }>('GET', `${devPath}/variables/COUNTER`)
        const body = { value: sealed(String(count(read.body.data.value) + 1)) }
        const written = await call('PATCH', path, body, { 'if-match': read.etag ?? '' })
        if (written.status === 200) done++
        else if (written.status === 412) stale++
        else throw new Error(JSON.stringify(written.body))
      }
    }
    await Promise.all([...calls, ...calls].map(increment))
    expect(count((await readVariables(calls[0])).get('COUNTER')?.value ?? '')).toBe(40)
    // Without a race there would be nothing to prove.
    expect(stale).toBeGreaterThan(0)
  })

  test('racing creates of one name make one variable', async () => {
    const replies = await Promise.all(
      [...calls, ...calls, ...calls, ...calls, ...calls].map((call, index) =>
        call('POST', `${devPath}/variables`, { name: 'ONCE', value: sealed(String(index)) }),
      ),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)])
  })

  test('a follower of one process misses no commit of the other', async () => {
    const seen = new Map<string, string>()
    let cursor = ''
    const follow = async () => {
      const reply = await calls[1]<{
        items: { resource: string; id: string; record: { etag: string } | null }[]
        nextCursor: string
        more: boolean
      }>('GET', `/changes?limit=5${cursor}`)
      for (const { resource, id, record } of reply.body.data.items) {
        if (resource === 'variable' && record !== null) seen.set(id, record.etag)
        if (record === null) seen.delete(id)
      }
      cursor = `&cursor=${reply.body.data.nextCursor}`
      return reply.body.data.more
    }
    let writing = true
    const following = (async () => {
      while (writing || (await follow())) await follow()
    })()
    await Promise.all(
      [...calls, ...calls, ...calls].map(async (call, writer) => {
        for (let turn = 0; turn < 12; turn++) {
          const values = [0, 1, 2].map((index) => [`R${(writer + turn + index) % 9}`, `${writer} ${turn} ${index}`] as const)
          await tryPutVariables(call, Object.fromEntries(values))
          if (turn % 5 === 4) await call('DELETE', `${devPath}/variables`, { names: [`R${turn % 9}`] })
        }
      }),
    )
    writing = false
    await following
    while (await follow());
    const live = new Map([...(await readVariables(calls[0])).values()].map(({ id, etag }) => [id, etag]))
    expect(seen).toEqual(live)
  })

  test('a member invited through one is listed by the other', async () => {
    const invited = await calls[0]<{ id: string }>('POST', '/members', { email: 'ada@example.com', roleId: 'viewer' })
    expect(invited.status).toBe(201)
    const listed = await calls[1]<{ items: { email: string }[] }>('GET', '/members')
    expect(listed.body.data.items.map(({ email }) => email)).toContain('ada@example.com')
  })
})
