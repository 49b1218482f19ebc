import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callCommand } from '../../service/support/run-service.ts'
import { TestClient } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { valueOf } from '../../support/value-of.ts'
import { Person } from '../seen/two-people.ts'

/** More of them with RESTART_RUNS. */
const runs = Number(process.env['RESTART_RUNS'] ?? 8)
const key = new Uint8Array(32).fill(7)

/** What one of two people does; numbers pick among what is there. */
interface Deed {
  who: 0 | 1
  do: 'set' | 'secret' | 'delete' | 'environment' | 'drop'
  at: number
}

const deeds = (most: number): fc.Arbitrary<Deed[]> =>
  fc.array(
    fc.record({
      who: fc.constantFrom(0 as const, 1 as const),
      do: fc.constantFrom('set', 'set', 'set', 'secret', 'delete', 'environment', 'drop'),
      at: fc.nat(40),
    }),
    { maxLength: most },
  )

/** What histories once showed wrong: each is played first. */
const once: [{ synced: Deed[]; unsent: Deed[] }][] = [
  [{ synced: [{ who: 0, do: 'set', at: 2 }], unsent: [{ who: 0, do: 'set', at: 2 }] }],
  [
    {
      synced: [
        { who: 0, do: 'delete', at: 0 },
        { who: 0, do: 'set', at: 0 },
      ],
      unsent: [],
    },
  ],
  [
    {
      synced: [
        { who: 0, do: 'delete', at: 0 },
        { who: 0, do: 'environment', at: 0 },
      ],
      unsent: [{ who: 0, do: 'drop', at: 3 }],
    },
  ],
  // What a colleague created after the restore, in place of what was here.
  [
    {
      synced: [],
      unsent: [
        { who: 0, do: 'delete', at: 0 },
        { who: 0, do: 'set', at: 0 },
      ],
    },
  ],
  // The answer to an unsent edit of another field shows the restored value first.
  [{ synced: [{ who: 0, do: 'set', at: 0 }], unsent: [{ who: 0, do: 'secret', at: 0 }] }],
]

/** Everything that was typed, by whom: no text is typed twice. */
interface Typed {
  by: Person
  path: string
  text: string
}

class Room {
  readonly people: readonly [Person, Person]
  readonly typed: Typed[] = []
  #made = 0

  constructor(service: StartedService) {
    const newcomer = (seed: number) => new Person(deskOf(new TestClient({ service, key, random: seededRandom(seed) })))
    this.people = [newcomer(1), newcomer(2)]
  }

  async begin(): Promise<void> {
    const [me] = this.people
    me.desk.client.createProject('Shop')
    for (const name of ['Prod', 'Dev']) me.desk.client.createEnvironment('shop', name)
    for (const [slug, name] of [
      ['prod', 'A'],
      ['prod', 'B'],
      ['dev', 'A'],
      ['dev', 'B'],
    ] as const)
      this.set(me, slug, name)
    await this.syncAll()
  }

  set(by: Person, slug: string, name: string): void {
    const text = `text ${this.typed.length}`
    by.set(slug, name, text)
    this.typed.push({ by, path: `shop/${slug}/${name}`, text })
  }

  act({ who, do: what, at }: Deed): void {
    const by = this.people[who]
    const { client } = by.desk
    const environments = client.children('environment', client.find('project', null, 'shop').id)
    // Each has an environment of their own, so that only the backup changes what they have typed.
    const own = environments.filter(({ fields }) => fields.slug === ['prod', 'dev'][who] || fields.slug?.startsWith(`own-${who}`) === true)
    const place = own[at % own.length]
    const slug = place?.fields.slug
    const name = ['A', 'B', 'C', 'D'][at % 4]
    if (what === 'environment') client.createEnvironment('shop', `Own ${who} ${(this.#made += 1)}`)
    else if (place === undefined || slug === undefined || name === undefined) return
    else if (what === 'set') this.set(by, slug, name)
    else if (what === 'secret' && by.value(slug, name) !== undefined) {
      const { id, fields } = client.find('variable', place.id, name)
      client.updateVariable(id, { isSecret: fields.isSecret !== true })
    } else if (what === 'drop' && own.length > 1) client.deleteParent('environment', place.id)
    else if (what === 'delete' && by.value(slug, name) !== undefined) client.deleteVariable(place.id, name)
  }

  async syncAll(): Promise<void> {
    const [me, them] = this.people
    for (const person of [me, them, me, them]) await person.sync()
  }

  async close(): Promise<void> {
    for (const { desk } of this.people) await desk.client.close()
  }
}

/** The paths of what the note of a person lists: "shop/prod/A". */
async function noted({ handlers }: Person): Promise<string[] | null> {
  const note = await valueOf(handlers['restart.note']({ workspaceId }))
  const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')
  return (
    note &&
    note.rows.map(({ kind, name, where }) => `${where.split(' / ').map(slug).join('/')}/${kind === 'variable' ? name : slug(name ?? '')}`)
  )
}

const differing = (a: Record<string, string>, b: Record<string, string>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path])

test(
  'whatever was done since a backup that the service goes back to, everybody is told of it, and no edit is lost',
  { timeout: 120_000 },
  async () => {
    const history = fc.record({ synced: deeds(14), unsent: deeds(6) })
    await fc.assert(
      fc.asyncProperty(history, async ({ synced, unsent }) => {
        const folder = await mkdtemp(join(tmpdir(), 'holdfast-any-restart-'))
        const service = await startService()
        const command = async (...args: string[]) => expect((await callCommand(...args, '--data', service.dir)).code).toBe(0)
        const room = new Room(service)
        const [me, them] = room.people
        try {
          await room.begin()
          const saved = me.contents()
          await command('backup', '--to', join(folder, 'backup'))
          for (const deed of synced) room.act(deed)
          await room.syncAll()
          const reached = me.contents()
          expect([me, them].map(({ desk }) => desk.client.queue().length)).toEqual([0, 0])
          for (const deed of unsent) room.act(deed)
          const hidden = [me, them].map((person) => differing(reached, person.contents()))
          const waiting = room.typed.filter(({ by, path, text }) => by.contents()[path] === text && reached[path] !== text)
          await command('restore', '--from', join(folder, 'backup'), '--replace')
          for (const [at, person] of room.people.entries()) {
            await person.sync()
            const paths = (await noted(person)) ?? []
            // The first computer's unsent edits are news to the second by now, and no work of the backup.
            const own = new Set(at === 0 ? hidden[0] : hidden.flat())
            const told = new Set(paths)
            const untold = differing(saved, reached).filter((path) => !own.has(path) && !told.has(path))
            expect(untold).toEqual([])
          }
          for (const person of room.people) {
            await person.sync()
            const note = await valueOf(person.handlers['restart.note']({ workspaceId }))
            if (note !== null) await valueOf(person.handlers['restart.resend']({ workspaceId, at: note.at }))
            for (let round = 0; round < 4; round += 1) {
              await person.sync()
              for (const { id } of person.desk.client.queue().filter(({ conflict }) => conflict !== null))
                person.desk.client.resolve(id, { take: 'mine' })
            }
          }
          await room.syncAll()
          expect([me, them].flatMap(({ desk }) => [...desk.client.queue(), ...desk.client.drift()])).toEqual([])
          expect(me.contents()).toEqual(them.contents())
          for (const { path, text } of waiting) expect([path, me.contents()[path]]).toEqual([path, text])
          // What had reached the service and was not touched again is back as it was.
          const touched = new Set(hidden.flat())
          for (const [path, text] of Object.entries(reached)) {
            const isTouched = [...touched].some((each) => path === each || path.startsWith(`${each}/`))
            if (!isTouched) expect([path, me.contents()[path]]).toEqual([path, text])
          }
        } finally {
          await room.close()
          await service.close()
          await rm(folder, { recursive: true })
        }
      }),
      { numRuns: runs, examples: once },
    )
  },
)
