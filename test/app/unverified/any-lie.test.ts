import fc from 'fast-check'
import { expect, test } from 'vitest'
import { getBase } from '../../../electron/mirror/base-layer.ts'
import { TestClient } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService } from '../../support/start-service.ts'
import { startTamperingProxy, type TamperingProxy, type WireVariable } from '../../support/tampering-proxy.ts'
import { valueOf } from '../../support/value-of.ts'
import { moveTo, Person } from '../seen/two-people.ts'

/** More of them with LIE_RUNS. */
const runs = Number(process.env['LIE_RUNS'] ?? 4)
const key = new Uint8Array(32).fill(7)
const names = ['A', 'B', 'C', 'D']
/** Each of the two works in environments of their own. */
const places = [
  ['prod', 'stage'],
  ['dev', 'test'],
] as const

/** What is done next, by one of two people or by the service between the first of them and the truth; numbers pick among what is there. */
type Deed =
  | { do: 'set' | 'secret' | 'delete' | 'rename' | 'move' | 'undo' | 'sync'; who: 0 | 1; at: number }
  | { do: 'accept' | 'restore'; at: number }
  | { do: 'lie'; about: Lie[]; once: boolean }
  | { do: 'truth' }

/** A record that the service never had: parts of one that it had with parts of others. */
interface Lie {
  of: number
  value: number | string | null
  name: string | null
  environment: number | null
  isSecret: boolean | null
  type: string | null
  id: number | null
}

const seldom = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary })

const lies: fc.Arbitrary<Lie> = fc.record({
  of: fc.nat(60),
  value: seldom(fc.oneof({ weight: 2, arbitrary: fc.nat(60) }, fc.constantFrom('plain', '', 'v1:', `v1:${'A'.repeat(80)}`))),
  name: seldom(fc.constantFrom(...names, 'NODE_OPTIONS')),
  environment: seldom(fc.nat(1)),
  isSecret: seldom(fc.boolean()),
  type: seldom(fc.constantFrom('string', 'number')),
  id: seldom(fc.integer({ min: 10, max: 99 })),
})

const deeds = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({
        do: fc.constantFrom('set', 'set', 'secret', 'delete', 'rename', 'move', 'undo', 'sync', 'sync', 'sync', 'sync'),
        who: fc.constantFrom(0 as const, 1 as const),
        at: fc.nat(40),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('accept', 'restore'), at: fc.nat(10) }) },
    {
      weight: 4,
      arbitrary: fc.record({ do: fc.constant('lie'), about: fc.array(lies, { minLength: 1, maxLength: 4 }), once: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'truth' } as const) },
  ),
  { maxLength: 30, size: 'max' },
) as fc.Arbitrary<Deed[]>

/** What leaves with a variable: "prod/A secret text 1". */
const madeOf = (path: string, isSecret: boolean, text: string): string => `${path} ${isSecret ? 'secret' : 'plain'} ${text}`

class Room {
  readonly people: readonly [Person, Person]
  readonly #proxy: TamperingProxy
  /** Everything that a member has made, in turn. */
  readonly #made: string[] = []
  /** How far the first of them has come in it, by path. */
  readonly #reached = new Map<string, number>()
  /** Every record that the service has ever had. */
  readonly #past = new Map<string, WireVariable>()
  /** The texts that last left, by the local id of the variable. */
  readonly #texts = new Map<string, string>()
  #typed = 0

  constructor(people: readonly [Person, Person], proxy: TamperingProxy) {
    this.people = people
    this.#proxy = proxy
  }

  async begin(): Promise<void> {
    const [me, them] = this.people
    me.desk.client.createProject('Shop')
    for (const name of ['Prod', 'Stage', 'Dev', 'Test']) me.desk.client.createEnvironment('shop', name)
    await me.sync()
    await them.sync()
    // What is secret now was none at first.
    for (const what of ['set', 'set', 'secret'] as const) {
      for (const at of [0, 1, 2, 5]) for (const who of [0, 1] as const) await this.act({ do: what, who, at })
      await this.#syncAll()
    }
  }

  #learn(): void {
    for (const record of this.#proxy.seen.values())
      this.#past.set([record.id, record.environmentId, record.name, record.isSecret, record.value].join(' '), record)
  }

  /** The variables by path, as they leave, or as they would leave if they were verified again. */
  async view(person: Person): Promise<{ leaving: Map<string, string>; all: Map<string, string> }> {
    const leaving = new Map<string, string>()
    const all = new Map<string, string>()
    for (const slug of places.flat()) {
      const environmentId = person.environmentId(slug)
      const args = { workspaceId, environmentId, format: 'json', reveal: true, resolve: true } as const
      const values = JSON.parse((await valueOf(person.handlers['export.text'](args))).text) as Record<string, unknown>
      for (const { id, name, isSecret } of await person.rows(slug)) {
        const path = `${slug}/${name}`
        const text = name in values ? String(values[name]) : this.#texts.get(id)
        if (text === undefined) continue
        all.set(path, madeOf(path, isSecret !== false, text))
        if (!(name in values)) continue
        leaving.set(path, madeOf(path, isSecret !== false, text))
        this.#texts.set(id, text)
      }
    }
    return { leaving, all }
  }

  /** Notes what an edit of a person has made. */
  async #making(person: Person, edit: () => unknown): Promise<void> {
    const before = (await this.view(person)).all
    await edit()
    const after = (await this.view(person)).all
    for (const [path, made] of after) if (before.get(path) !== made) this.#made.push(made)
  }

  async act(deed: Deed): Promise<void> {
    const [me] = this.people
    if (deed.do === 'truth') return this.#tellTruth()
    if (deed.do === 'lie') {
      const forged = deed.about.flatMap((lie) => this.#forge(lie) ?? [])
      if (deed.once) this.#proxy.slipIn(forged)
      else this.#proxy.forge(forged)
      return
    }
    if (!('who' in deed)) {
      const { rows } = await valueOf(me.handlers['unverified.list']({ workspaceId }))
      const own = rows.filter(({ where }) => places[0].some((slug) => where.toLowerCase().endsWith(slug)))
      const row = own[deed.at % Math.max(1, own.length)]
      const command = deed.do === 'accept' ? 'unverified.accept' : 'unverified.restore'
      if (row !== undefined)
        await this.#making(me, () => valueOf(me.handlers[command]({ workspaceId, rows: [{ id: row.id, seen: row.rev }] })))
      return
    }
    const person = this.people[deed.who]
    if (deed.do === 'sync') {
      await person.sync()
      this.#learn()
      return
    }
    await this.#making(person, () => this.#edit(person, deed.do, deed.at, places[deed.who]))
  }

  async #edit(by: Person, what: string, at: number, [here, there]: readonly [string, string]): Promise<void> {
    const { client } = by.desk
    const slug = at % 3 === 2 ? there : here
    const name = names[at % 4]
    if (name === undefined) return
    if (what === 'set') return by.set(slug, name, `text ${(this.#typed += 1)}`)
    if (what === 'undo') return void (await by.handlers['undo.undo']({ workspaceId }))
    const row = (await by.rows(slug)).find((each) => each.name === name)
    if (row === undefined) return
    if (what === 'secret') client.updateVariable(row.id, { isSecret: !row.isSecret })
    else if (what === 'delete') client.deleteRow(row.id)
    else if (what === 'rename') client.updateVariable(row.id, { name: names[(at + 1) % 4] ?? name })
    else await moveTo(by, slug === here ? there : here, row)
  }

  /** null: nothing is known yet of which it could be made. */
  #forge(lie: Lie): WireVariable | null {
    const records = [...this.#past.values()]
    const past = (at: number) => records[at % records.length]
    const record = past(lie.of)
    if (record === undefined) return null
    const environments = places.flat().map((slug) => this.#remoteId(slug))
    const isOwn = environments.indexOf(record.environmentId) < 2
    const value = typeof lie.value === 'number' ? past(lie.value)?.value : lie.value
    return {
      ...record,
      ...(value != null && { value }),
      // The rows on which the first person works keep their names, and get no namesakes: it can be said where their edits must end.
      ...(lie.name !== null && !isOwn && { name: lie.name }),
      ...(lie.environment !== null && !isOwn && { environmentId: environments[2 + lie.environment] }),
      ...(lie.isSecret !== null && { isSecret: lie.isSecret }),
      ...(lie.type !== null && { type: lie.type }),
      ...(lie.id !== null && !isOwn && { id: `01900000-0000-7000-8000-0000000000${lie.id}` }),
    }
  }

  #remoteId(slug: string): string {
    const [me] = this.people
    return me.desk.client.mirror.snapshot((tx) => getBase(tx, me.environmentId(slug)))?.remoteId ?? ''
  }

  /** What leaves that no member made, or that another value has replaced. */
  async forged(): Promise<string[]> {
    const [me] = this.people
    const forged: string[] = []
    for (const [path, made] of (await this.view(me)).leaving) {
      const at = this.#made.lastIndexOf(made)
      if (at < (this.#reached.get(path) ?? 0)) forged.push(made)
      else this.#reached.set(path, at)
    }
    return forged
  }

  #tellTruth(): void {
    this.#proxy.stop()
    // What it showed last may have been edited since.
    this.#proxy.slipIn([])
    this.#proxy.prune()
  }

  async #syncAll(): Promise<void> {
    const [me, them] = this.people
    for (const person of [me, them, me, them]) await person.sync()
    this.#learn()
  }
}

test(
  'however a service lies to one of two people who edit, nothing leaves that no member made, nor that another value has replaced',
  { timeout: 120_000 + 15_000 * runs },
  async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (list) => {
        const service = await startService()
        const proxy = await startTamperingProxy(service.url)
        const join = (url: string, seed: number) =>
          new Person(deskOf(new TestClient({ service: { ...service, url }, key, values: 'bound', random: seededRandom(seed) })))
        const people = [join(proxy.url, 1), join(service.url, 2)] as const
        try {
          const room = new Room(people, proxy)
          await room.begin()
          for (const [at, deed] of list.entries()) {
            await room.act(deed)
            expect([at, deed.do, await room.forged()]).toEqual([at, deed.do, []])
          }
        } finally {
          for (const { desk } of people) await desk.client.close()
          await proxy.close()
          await service.close()
        }
      }),
      { numRuns: runs },
    )
  },
)
