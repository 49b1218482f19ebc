import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { databases, useServices } from './support/databases.ts'
import type { Call } from './support/client.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)
const runs = Number(process.env['FUZZ_RUNS'] ?? 25)

interface Item {
  name: string
  value: string
  ifMatch?: string
  ifNoneMatch?: string
}

interface Answer {
  name: string
  status: 'created' | 'updated' | 'unchanged' | 'failed'
  record?: { id: string; name: string; value: string; etag: string }
  code?: number
  message?: string
}

const upsert = (call: Call, variables: readonly object[], headers?: Record<string, string>) =>
  call<{ items: Answer[] }>('POST', `${devPath}/variables/bulk`, { variables }, headers)

describe.each(databases)('a bulk upsert on %s', (kind) => {
  const start = useServices(kind)

  test('with ifNoneMatch "*" an item creates, and is 409 where the name is taken, the others standing', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    await putVariables(call, { TAKEN: 'theirs', SAME: 'same' })
    const before = await readVariables(call)
    const reply = await upsert(call, [
      { name: 'NEW', value: sealed('mine'), isSecret: true, ifNoneMatch: '*' },
      { name: 'TAKEN', value: sealed('mine'), ifNoneMatch: '*' },
      { name: 'SAME', value: sealed('same'), ifNoneMatch: '*' },
      { name: 'NEW', value: sealed('again'), ifNoneMatch: '*' },
      { name: 'OTHER', value: sealed('other') },
    ])
    const taken = (name: string) => ({
      name,
      status: 'failed',
      code: 409,
      message: `Another variable of the environment has the name "${name}".`,
    })
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string
    const record = (name: string, value: string, isSecret: boolean) => ({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name,
      value: sealed(value),
      type: 'string',
      isSecret,
      environmentId,
      createdAt: time,
      updatedAt: time,
      updatedBy: 'owner@localhost',
      etag: expect.stringMatching(/^"\d+"$/) as string,
    })
    expect(reply.status).toBe(200)
    expect(reply.body).toStrictEqual({
      success: true,
      code: 200,
      message: 'Variables saved.',
      data: {
        items: [
          { name: 'NEW', status: 'created', record: record('NEW', 'mine', true) },
          taken('TAKEN'),
          taken('SAME'),
          taken('NEW'),
          { name: 'OTHER', status: 'created', record: record('OTHER', 'other', false) },
        ],
      },
    })
    // The single create answers the same.
    const single = await call('POST', `${devPath}/variables`, { name: 'TAKEN', value: sealed('mine') })
    expect(single.body).toMatchObject({ code: 409, message: taken('TAKEN').message })
    const after = await readVariables(call)
    expect(after.get('TAKEN')).toEqual(before.get('TAKEN'))
    expect(after.get('SAME')).toEqual(before.get('SAME'))
    expect(after.get('NEW')?.value).toBe(sealed('mine'))
  })

  test('an item cannot ask for a variable that is there and for none at once', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const reply = await upsert(call, [
      { name: 'A', value: sealed('1'), ifMatch: '*', ifNoneMatch: '*' },
      { name: 'B', value: sealed('1'), ifNoneMatch: '*' },
    ])
    expect(reply.body.data.items.map(({ status, code }) => [status, code])).toEqual([
      ['failed', 422],
      ['created', undefined],
    ])
  })

  test.each(['"1"', '', 'x', null, true, ['*']])('an ifNoneMatch of %j refuses the whole request', async (ifNoneMatch) => {
    const { call } = await start()
    await makeEnvironment(call)
    const reply = await upsert(call, [
      { name: 'A', value: sealed('1') },
      { name: 'B', value: sealed('1'), ifNoneMatch },
    ])
    expect(reply.body).toMatchObject({ success: false, code: 422, data: { issues: [{ path: 'variables.1.ifNoneMatch' }] } })
    expect((await readVariables(call)).size).toBe(0)
  })

  test('under an Idempotency-Key it is answered again byte for byte, failed items included, and written once', async () => {
    const { call, url, apiKey } = await start()
    await makeEnvironment(call)
    await putVariables(call, { TAKEN: 'theirs' })
    const body = JSON.stringify({
      variables: [
        { name: 'NEW', value: sealed('1'), ifNoneMatch: '*' },
        { name: 'TAKEN', value: sealed('1'), ifNoneMatch: '*' },
        { name: 'UPSERTED', value: sealed('1') },
      ],
    })
    const post = async (text: string) => {
      const response = await fetch(`${url}${devPath}/variables/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', 'idempotency-key': 'bulk-1' },
        body: text,
      })
      return { status: response.status, text: await response.text() }
    }
    const first = await post(body)
    expect(first.status).toBe(200)
    expect((JSON.parse(first.text) as { data: { items: Answer[] } }).data.items.map(({ status }) => status)).toEqual([
      'created',
      'failed',
      'created',
    ])
    await putVariables(call, { UPSERTED: 'later' })
    await call('DELETE', `${devPath}/variables`, { names: ['NEW', 'TAKEN'] })
    const after = await readVariables(call)
    expect(await post(body)).toEqual(first)
    expect(await readVariables(call)).toEqual(after)
    expect((await post(body.replace('NEW', 'NEWER'))).status).toBe(422)
  })

  test('racing bulk creates of the same names make each once', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const names = Array.from({ length: 20 }, (_, index) => `N${index}`)
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, writer) => {
        const order = writer % 2 === 0 ? names : names.toReversed()
        return upsert(
          call,
          order.map((name) => ({ name, value: sealed(`${writer} ${name}`), ifNoneMatch: '*' })),
        )
      }),
    )
    const answers = replies.flatMap(({ body }) => body.data.items)
    const created = answers.filter(({ status }) => status === 'created')
    expect(created.map(({ name }) => name).sort()).toEqual(names.toSorted())
    expect(answers.filter(({ code }) => code === 409)).toHaveLength(100)
    const live = await readVariables(call)
    for (const { name, record } of created) expect(live.get(name)?.value).toBe(record?.value)
  })

  test(`it does what a simple model says (seed ${seed})`, async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const name = fc.constantFrom('A', 'B', 'C', 'D')
    const condition = fc.constantFrom<'none' | 'absent' | 'there' | 'current' | 'stale' | 'both'>(
      'none',
      'absent',
      'there',
      'current',
      'stale',
      'both',
    )
    const item = fc.record({ name, text: fc.constantFrom('1', '2', '3'), condition })
    const step = fc.record({ items: fc.array(item, { minLength: 1, maxLength: 6 }), deleted: fc.subarray(['A', 'B', 'C', 'D']) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 3 }), async (steps) => {
        for (const { items, deleted } of steps) {
          await call('DELETE', `${devPath}/variables`, { names: deleted.length === 0 ? ['none'] : deleted })
          const before = await readVariables(call)
          const model = new Map<string, { value: string; etag: string | null }>(before)
          const expected: (string | number)[] = []
          const sent: Item[] = []
          for (const { name: key, text, condition: asked } of items) {
            const value = sealed(text)
            // What the client knows: the ETag before this request.
            const etag = before.get(key)?.etag ?? '"0"'
            const conditions = {
              none: {},
              absent: { ifNoneMatch: '*' },
              there: { ifMatch: '*' },
              current: { ifMatch: etag },
              stale: { ifMatch: '"0"' },
              both: { ifMatch: '*', ifNoneMatch: '*' },
            }[asked]
            sent.push({ name: key, value, ...conditions })
            const row = model.get(key)
            const matches = row !== undefined && (asked === 'there' || (asked === 'current' && row.etag === etag))
            if (asked === 'both') expected.push(422)
            else if (asked === 'absent' && row !== undefined) expected.push(409)
            else if (['there', 'current', 'stale'].includes(asked) && !matches) expected.push(412)
            else if (row?.value === value) expected.push('unchanged')
            else {
              expected.push(row === undefined ? 'created' : 'updated')
              // Written here: its new ETag is none that the client knows.
              model.set(key, { value, etag: null })
            }
          }
          const reply = await upsert(call, sent)
          const { items: answers } = reply.body.data
          expect(answers.map(({ status, code }) => (status === 'failed' ? code : status))).toEqual(expected)
          expect(answers.map((answer) => answer.name)).toEqual(items.map((one) => one.name))
          const after = await readVariables(call)
          expect(new Map([...after].map(([key, { value }]) => [key, value]))).toEqual(
            new Map([...model].map(([key, { value }]) => [key, value])),
          )
          const last = new Map(answers.filter(({ record }) => record !== undefined).map(({ name: key, record }) => [key, record?.etag]))
          for (const [key, etag] of last) expect(after.get(key)?.etag).toBe(etag)
        }
      }),
      { seed, numRuns: runs },
    )
  })
})
