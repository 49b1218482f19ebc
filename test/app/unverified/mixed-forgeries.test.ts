import { afterEach, beforeEach, expect, test } from 'vitest'
import { getBase } from '../../../electron/mirror/base-layer.ts'
import { TestClient } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { startTamperingProxy, type TamperingProxy, type WireVariable } from '../../support/tampering-proxy.ts'
import { valueOf } from '../../support/value-of.ts'
import { Person } from '../seen/two-people.ts'

const key = new Uint8Array(32).fill(7)
const slugs = ['dev', 'prod']
const names = ['STRIPE_KEY', 'DATABASE_URL', 'TOKEN', 'PORT']
const rounds = 25

let service: StartedService
let proxy: TamperingProxy
let me: Person
/** Every record that the service has ever had: what a lie can be made of. */
let past: WireVariable[]

beforeEach(async () => {
  service = await startService()
  proxy = await startTamperingProxy(service.url)
  me = new Person(deskOf(new TestClient({ service: { ...service, url: proxy.url }, key, values: 'bound', random: seededRandom(1) })))
  const { client } = me.desk
  client.createProject('Shop')
  for (const name of ['Dev', 'Prod']) client.createEnvironment('shop', name)
  past = []
  for (const age of ['older', 'old', 'new']) {
    for (const slug of slugs) {
      for (const name of names) me.set(slug, name, `${age} ${name} of ${slug}`)
      // What is secret now was none at first, and PORT is none.
      for (const { id, name } of await me.rows(slug)) client.updateVariable(id, { isSecret: age !== 'older' && name !== 'PORT' })
    }
    await me.sync()
    past.push(...proxy.seen.values())
  }
})

afterEach(async () => {
  await me.desk.client.close()
  await proxy.close()
  await service.close()
})

/** What leaves an environment, by name. */
async function exported(slug: string): Promise<Record<string, unknown>> {
  const environmentId = me.environmentId(slug)
  const { text } = await valueOf(me.handlers['export.text']({ workspaceId, environmentId, format: 'json', reveal: true, resolve: true }))
  return JSON.parse(text) as Record<string, unknown>
}

test.each([1, 2, 3, 4])('however its lies are mixed, a service changes no value that leaves and unmasks none (%i)', async (seed) => {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const chance = (of: number) => random() < of
  const environments = slugs.map((slug) => me.desk.client.mirror.snapshot((tx) => getBase(tx, me.environmentId(slug)))?.remoteId ?? '')
  const lie = (): WireVariable => {
    const record = { ...pick(past) }
    if (chance(0.7)) record.value = pick(past).value
    if (chance(0.2)) record.value = pick(['plain', '', 'v1:', `v1:${'A'.repeat(80)}`, pick(past).value.slice(0, -4)])
    if (chance(0.3)) record.name = pick([...names, 'NODE_OPTIONS', 'stripe_key', 'STRIPE_KEY '])
    if (chance(0.3)) record.environmentId = pick(environments)
    if (chance(0.3)) record.isSecret = chance(0.5)
    if (chance(0.3)) record.type = pick(['string', 'number', 'boolean'])
    if (chance(0.1)) delete record.isSecret
    if (chance(0.1)) delete record.type
    if (chance(0.1)) record.id = `01900000-0000-7000-8000-0000000000${String(Math.floor(random() * 90) + 10)}`
    return record
  }
  let doubted = 0
  for (let round = 0; round < rounds; round += 1) {
    if (chance(0.15)) proxy.stop()
    else (chance(0.8) ? proxy.forge : proxy.slipIn)(Array.from({ length: 1 + Math.floor(random() * 4) }, lie))
    await me.sync()
    doubted += (await valueOf(me.handlers['unverified.list']({ workspaceId }))).total
    for (const slug of slugs) {
      const truth = Object.fromEntries(names.map((name) => [name, `new ${name} of ${slug}`]))
      const left = await exported(slug)
      expect(left, `round ${round}`).toEqual(Object.fromEntries(Object.keys(left).map((name) => [name, truth[name]])))
      for (const { name, isSecret } of await me.rows(slug))
        expect([round, name, isSecret]).toEqual([round, name, name !== 'PORT' || isSecret])
    }
  }
  expect(doubted).toBeGreaterThan(rounds)
  // Once it tells the truth of every record, every value is verified again.
  proxy.stop()
  proxy.slipIn([...proxy.seen.values()])
  await me.sync()
  for (const slug of slugs)
    expect(await exported(slug)).toMatchObject(Object.fromEntries(names.map((name) => [name, `new ${name} of ${slug}`])))
})
