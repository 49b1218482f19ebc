import { expect, test } from 'vitest'
import { countBelow } from '../../electron/mirror/base-layer.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { allEntries } from '../../electron/mirror/queue-layer.ts'
import { sliceWeight } from '../../electron/sync/slices.ts'
import type { TestClient } from '../support/build-client.ts'
import { createServiceStage } from '../support/service-stage.ts'

/** How much sync works on between two turns of the event loop, when values are large. */

const stage = createServiceStage()
const count = 40
const length = 64 * 1024
/** The characters of such a value once it is sealed. */
const sealedLength = 4 * Math.ceil((length + 32) / 3) + 3

const open = (watch: (mirror: Mirror) => Mirror = (mirror) => mirror) => stage.open({ values: 'bound', watch })

const environment = (client: TestClient) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id
const names = Array.from({ length: count }, (_, index) => `V${index}`)
const large = (name: string, letter: string) => name.padEnd(length, letter)
const setAll = (client: TestClient, valueOf: (name: string) => string) => {
  for (const name of names) client.setVariable(environment(client), name, valueOf(name))
}

/** How many entries are sent and not answered. */
const sending = (mirror: Mirror) => mirror.snapshot((tx) => allEntries(tx).filter(({ state }) => state === 'sending').length)

/** The most entries that sync began to send, and the most of which it wrote the outcomes, in one turn of the event loop. */
function countTurns(mirror: Mirror): { mirror: Mirror; most: { started: number; answered: number }; end: () => void } {
  const most = { started: 0, answered: 0 }
  let now = { started: 0, answered: 0 }
  const write: Mirror['write'] = (work) => {
    const before = sending(mirror)
    const done = mirror.write(work)
    const change = sending(mirror) - before
    now = { started: now.started + Math.max(change, 0), answered: now.answered + Math.max(-change, 0) }
    most.started = Math.max(most.started, now.started)
    most.answered = Math.max(most.answered, now.answered)
    return done
  }
  let next = setImmediate(function turn() {
    now = { started: 0, answered: 0 }
    next = setImmediate(turn)
  })
  return { mirror: { ...mirror, write }, most, end: () => clearImmediate(next) }
}

/** A client whose turns are counted. */
function openCounted() {
  let counted: ReturnType<typeof countTurns> | null = null
  const client = open((mirror) => (counted = countTurns(mirror)).mirror)
  const turns = counted as ReturnType<typeof countTurns> | null
  if (turns === null) throw new Error('the mirror was not opened')
  return { client, turns }
}

/** The most large values that fit into a slice. */
const mostOfOne = Math.ceil(sliceWeight / sealedLength)

test.each<[string, number, (client: TestClient, other: TestClient) => Promise<void>]>([
  ['new values', mostOfOne, (client) => Promise.resolve(setAll(client, (name) => large(name, 'n')))],
  [
    'small edits of values that others made large',
    count,
    async (client, other) => {
      setAll(client, (name) => `${name} 1`)
      await client.sync()
      await other.sync()
      setAll(other, (name) => large(name, 'o'))
      await other.sync()
      setAll(client, (name) => `${name} 2`)
    },
  ],
  [
    'new names of large values',
    mostOfOne,
    async (client) => {
      setAll(client, (name) => large(name, 'n'))
      await client.sync()
      for (const name of names) client.renameVariable(environment(client), name, `${name}_NEW`)
    },
  ],
])('sync sends and answers %s some at a time', async (_what, mostStarted, edit) => {
  const { client, turns } = openCounted()
  const other = open()
  client.createProject('Shop')
  client.createEnvironment('shop', 'prod')
  await client.sync()
  await edit(client, other)
  Object.assign(turns.most, { started: 0, answered: 0 })
  const bodies: number[] = []
  client.network = (forward, { body = '' }) => {
    bodies.push(body.length)
    return forward()
  }

  await client.sync()
  turns.end()

  expect(client.queueRows().filter(({ state }) => state !== 'conflict')).toEqual([])
  expect(turns.most.started).toBeGreaterThan(0)
  expect(turns.most.started).toBeLessThanOrEqual(mostStarted)
  expect(turns.most.answered).toBeGreaterThan(0)
  expect(turns.most.answered).toBeLessThanOrEqual(mostOfOne)
  expect(Math.max(...bodies)).toBeLessThan(1024 * 1024)
})

test('edits of values that others made larger than one answer may hold are all asked about', async () => {
  const [client, other] = [open(), open()]
  client.createProject('Shop')
  client.createEnvironment('shop', 'prod')
  const some = names.slice(0, 10)
  const set = (by: TestClient, valueOf: (name: string) => string) => {
    for (const name of some) by.setVariable(environment(by), name, valueOf(name))
  }
  set(client, (name) => `${name} 1`)
  await client.sync()
  await other.sync()
  set(other, (name) => name.padEnd(510_000, 'o'))
  await other.sync()
  set(client, (name) => `${name} 2`)
  const codes: number[] = []
  client.network = async (forward, { method }) => {
    const response = await forward()
    if (method !== 'POST') return response
    const body = (await response.clone().json()) as { data: { items: { code: number }[] } }
    codes.push(...body.data.items.map(({ code }) => code))
    return response
  }

  await client.sync()

  expect(new Set(codes)).toEqual(new Set([412, 503]))
  expect(client.queueRows().map(({ state }) => state)).toEqual(some.map(() => 'conflict'))
})

test('sync begins each of several requests in a turn of its own, and writes their answers some at a time', async () => {
  const { client, turns } = openCounted()
  client.createProject('Shop')
  for (const slug of ['a', 'b', 'c', 'd']) client.createEnvironment('shop', slug)
  await client.sync()
  const project = client.find('project', null, 'shop').id
  for (const slug of ['a', 'b', 'c', 'd']) {
    const { id } = client.find('environment', project, slug)
    for (let n = 0; n < 200; n += 1) client.setVariable(id, `V${n}`, 'v')
  }
  Object.assign(turns.most, { started: 0, answered: 0 })

  await client.sync()
  turns.end()

  expect(client.entries()).toEqual([])
  expect(turns.most).toEqual({ started: 200, answered: 100 })
})

test('an end between two parts of an answer loses nothing', async () => {
  let isDead = false
  const client = open((mirror) => ({
    ...mirror,
    write: (work) => {
      if (isDead) throw new Error('killed')
      const before = sending(mirror)
      const done = mirror.write(work)
      // The first part of the answer is written, and the rest is still as it was sent.
      const after = sending(mirror)
      if (isWatching && after > 0 && after < before) isDead = true
      return done
    },
  }))
  let isWatching = false
  client.createProject('Shop')
  client.createEnvironment('shop', 'prod')
  await client.sync()
  setAll(client, (name) => large(name, 'n'))
  isWatching = true
  await client.sync()
  expect(isDead).toBe(true)
  isDead = false
  isWatching = false
  client.restart()
  for (let round = 0; round < 3; round += 1) await client.sync()
  expect(client.entries()).toEqual([])
  const other = open()
  await other.sync()
  expect(other.contents()).toEqual(client.contents())
  expect(Object.values(other.contents()).filter((text) => text.length === length).length).toBe(count)
})

test('sync opens and writes the values that it pulls some at a time, in turns of their own', async () => {
  const turns: { opened: number; written: number }[] = [{ opened: 0, written: 0 }]
  const now = () => turns.at(-1) ?? { opened: 0, written: 0 }
  const variables = (mirror: Mirror) => mirror.snapshot((tx) => countBelow(tx, environment(client)))
  const client = open((mirror) => ({
    ...mirror,
    write: (work) => {
      const before = isWatching ? variables(mirror) : 0
      const done = mirror.write(work)
      if (isWatching) now().written += variables(mirror) - before
      return done
    },
  }))
  const other = open()
  let isWatching = false
  client.createProject('Shop')
  client.createEnvironment('shop', 'prod')
  await client.sync()
  await other.sync()
  setAll(other, (name) => large(name, 'o'))
  await other.sync()
  const { openBound } = client.cipher
  client.cipher.openBound = (...args) => {
    now().opened += 1
    return openBound(...args)
  }
  let next = setImmediate(function turn() {
    turns.push({ opened: 0, written: 0 })
    next = setImmediate(turn)
  })
  isWatching = true

  await client.sync()
  clearImmediate(next)

  const most = (of: 'opened' | 'written') => Math.max(...turns.map((turn) => turn[of]))
  expect(turns.reduce((sum, { written }) => sum + written, 0)).toBe(count)
  expect(most('opened')).toBeLessThanOrEqual(mostOfOne)
  expect(most('written')).toBeLessThanOrEqual(mostOfOne)
  expect(turns.filter(({ opened, written }) => opened > 0 && written > 0)).toEqual([])
})
