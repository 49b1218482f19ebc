import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createRowReader } from '../../../electron/sync/adapters/basic/row-reader.ts'
import { createFullAdapter } from '../../../electron/sync/adapters/full/full-adapter.ts'
import { pullFeed } from '../../../electron/sync/adapters/full/pull-feed.ts'
import { readVersion } from '../../../electron/sync/adapters/shared/read-version.ts'
import type { Accept } from '../../../electron/sync/adapters/shared/value-rules.ts'
import { slicesOf } from '../../../electron/sync/slices.ts'
import { aRemote } from '../../remote/a-remote.ts'
import { Shelf } from './shelf.ts'

const megabyte = 1024 * 1024
const at = '2026-01-01T00:00:00Z'
const variable = (index: number, value: string) => ({ id: `id-${index}`, name: `N${index}`, value, environmentId: 'e' })

const missing = (): never => {
  throw new Error('no such row')
}

/** A client of a service that gives this data to every request. */
async function remoteOf(data: object) {
  const body = JSON.stringify({ success: true, data })
  const server = createServer((_request, response) => void response.setHeader('content-type', 'application/json').end(body))
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return aRemote(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
}

/** Opens no value, and counts the characters that it is given before everything else has its turn. */
function countingAccept() {
  let inTurn = { values: 0, characters: 0 }
  const most = { values: 0, characters: 0 }
  let taken = 0
  const accept: Accept = ({ value }) => {
    if (inTurn.values === 0) setImmediate(() => (inTurn = { values: 0, characters: 0 }))
    inTurn.values += 1
    inTurn.characters += value.length
    most.values = Math.max(most.values, inTurn.values)
    most.characters = Math.max(most.characters, inTurn.characters)
    taken += 1
    return { value: { sealed: value, tag: null, keyId: 'key' } }
  }
  return { accept, most, taken: () => taken }
}

test('large values of one page of a feed are opened and written one by one, so that everything else has its turn', async () => {
  const values = Array.from({ length: 6 }, () => 'v1:'.padEnd(megabyte, 'A'))
  const items = values.map((value, index) => ({ resource: 'variable', id: `id-${index}`, deleted: false, record: variable(index, value) }))
  const remote = await remoteOf({ items, nextCursor: 'end', more: false })
  const { accept, taken } = countingAccept()
  const pages: number[] = []
  for await (const page of pullFeed(remote, accept, 'start', new Shelf())) {
    pages.push(page.ok ? page.value.deltas.length : -1)
    // What no page holds yet was not opened either.
    expect(taken()).toBe(pages.length)
  }
  expect(pages).toEqual([1, 1, 1, 1, 1, 1])
})

test.each([
  { what: 'are opened and written some at a time', count: 500, pages: [[500], [500], [500]] },
  { what: 'are not opened where one version holds too many', count: 501, pages: [[null, null, null]] },
])('the variables that versions of a feed hold $what', async ({ count, pages }) => {
  const variables = Array.from({ length: count }, (_, index) => ({ name: `N${index}`, value: 'v1:AAAA' }))
  const version = { label: 'v1', note: '', variableCount: count, environmentId: 'e', createdAt: at, variables }
  const items = ['a', 'b', 'c'].map((id) => ({ resource: 'version', id, deleted: false, record: { id, ...version } }))
  const remote = await remoteOf({ items, nextCursor: 'end', more: false })
  const seen: unknown[] = []
  for await (const page of pullFeed(remote, countingAccept().accept, 'start', new Shelf()))
    seen.push(page.ok && page.value.deltas.map((delta) => delta.is === 'version' && (delta.version.variables?.length ?? null)))
  expect(seen).toEqual(pages)
})

test('a version of 20,000 variables is opened some at a time', async () => {
  const variables = Array.from({ length: 20_000 }, (_, index) => ({ name: `N${index}`, value: `v1:${index}` }))
  const remote = await remoteOf({ id: 'v', label: 'v1', note: '', variableCount: 20_000, environmentId: 'e', createdAt: at, variables })
  const { accept, most } = countingAccept()
  const read = await readVersion(remote, accept, 'v')
  expect(read.ok && read.value?.variables?.map(({ name, value }) => ({ name, value: value.sealed }))).toEqual(variables)
  expect(most.values).toBeLessThanOrEqual(250)
})

test('the large values of an answer to changes are opened some at a time', async () => {
  const shelf = new Shelf()
  const items = Array.from({ length: 6 }, (_, index) => {
    const fields = { name: `N${index}` }
    const row = { kind: 'variable', remoteId: `id-${index}`, parentRemoteId: 'e', fields, etag: '"1"' } as const
    shelf.put({ ...row, createdAt: at, updatedAt: at, updatedBy: null })
    return shelf.update(shelf.rows('variable', 'e')[index] ?? missing(), { value: { sealed: 'v1:AAAA', tag: null, keyId: 'key' } })
  })
  const value = 'v1:'.padEnd(megabyte, 'A')
  const remote = await remoteOf({
    items: items.map((_, index) => ({ id: `id-${index}`, status: 'failed', code: 412, message: 'stale', record: variable(index, value) })),
  })
  const { accept, most, taken } = countingAccept()
  const seal = () => ({ ok: true, value: { value: 'v1:AAAA' } }) as const
  const outcomes = await createFullAdapter(remote, accept, seal).push(items)
  expect(outcomes.map((outcome) => outcome.is === 'stale' && outcome.current?.fields.value?.sealed === value)).toEqual(
    items.map(() => true),
  )
  expect([taken(), most.values]).toEqual([6, 1])
})

test.each([
  ['20,000 small values', 20_000, 10],
  ['6 large values', 6, megabyte],
])('a list of %s is opened some at a time', async (_what, count, length) => {
  const items = Array.from({ length: count }, (_, index) => variable(index, 'v1:'.padEnd(length, 'A')))
  const remote = await remoteOf({ items, nextCursor: null })
  const { accept, most } = countingAccept()
  const parent = { remoteId: 'e', path: { project: 'p', environment: 'e' } }
  const listed = await createRowReader(remote, accept).list('variable', parent)
  expect(listed.ok && listed.value.map(({ remoteId }) => remoteId)).toEqual(items.map(({ id }) => id))
  expect(most.values).toBeLessThanOrEqual(250)
  expect(most.characters).toBeLessThanOrEqual(Math.max(length, megabyte))
})

test.each<[string, number[], number[][]]>([
  ['nothing', [], []],
  ['what is light by its number', Array.from({ length: 251 }, () => 0), [Array.from({ length: 250 }, () => 0), [0]]],
  [
    'what is heavy by its weight',
    [300_000, 200_000, 200_000, 10],
    [
      [300_000, 200_000],
      [200_000, 10],
    ],
  ],
  ['what alone weighs more than a slice may', [1, 9_000_000, 1, 2], [[1], [9_000_000], [1, 2]]],
])('a list is split: %s', (_what, weights, slices) => {
  expect(slicesOf(weights, undefined, (weight) => weight)).toEqual(slices)
})
