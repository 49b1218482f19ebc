import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RestartNote } from '../../../electron/bridge/rows.ts'
import { callCommand } from '../../service/support/run-service.ts'
import { TestClient } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { valueOf } from '../../support/value-of.ts'
import { moveTo, Person } from '../seen/two-people.ts'

/** More of them with RESTART_RUNS. */
const runs = Number(process.env['RESTART_RUNS'] ?? 8)
const key = new Uint8Array(32).fill(7)

/** What one of two people does; numbers pick among what is there. */
interface Deed {
  who: 0 | 1
  do: 'set' | 'secret' | 'rename' | 'move' | 'delete' | 'environment' | 'slug' | 'drop'
  at: number
}

const deeds = (most: number): fc.Arbitrary<Deed[]> =>
  fc.array(
    fc.record({
      who: fc.constantFrom(0 as const, 1 as const),
      do: fc.constantFrom('set', 'set', 'set', 'secret', 'rename', 'move', 'delete', 'environment', 'slug', 'drop'),
      at: fc.nat(40),
    }),
    { maxLength: most, size: 'max' },
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
  // A new value for a row whose name and value the backup undid.
  [
    {
      synced: [
        { who: 0, do: 'set', at: 5 },
        { who: 0, do: 'rename', at: 5 },
      ],
      unsent: [{ who: 0, do: 'set', at: 7 }],
    },
  ],
  // The answer to an unsent edit of another field shows the restored value first.
  [{ synced: [{ who: 0, do: 'set', at: 0 }], unsent: [{ who: 0, do: 'secret', at: 0 }] }],
]

/** How the slugs of the environments begin in which each of the two works: only the backup changes there what the other has done. */
const own = [
  ['prod', 'own-0'],
  ['dev', 'own-1'],
] as const

const ownerOf = (path: string): 0 | 1 => (own[0].some((slug) => path.startsWith(`shop/${slug}`)) ? 0 : 1)

class Room {
  readonly people: readonly [Person, Person]
  #typed = 0
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

  /** No text is typed twice. */
  set(by: Person, slug: string, name: string): void {
    by.set(slug, name, `text ${(this.#typed += 1)}`)
  }

  async act({ who, do: what, at }: Deed): Promise<void> {
    const by = this.people[who]
    const { client } = by.desk
    const environments = client.children('environment', client.find('project', null, 'shop').id)
    const places = environments.filter(({ fields }) => own[who].some((slug) => fields.slug?.startsWith(slug)))
    const place = places[at % places.length]
    const slug = place?.fields.slug
    const name = ['A', 'B', 'C', 'D'][at % 4]
    if (what === 'environment') client.createEnvironment('shop', `Own ${who} ${(this.#made += 1)}`)
    else if (place === undefined || slug === undefined || name === undefined) return
    else if (what === 'set') this.set(by, slug, name)
    else if (what === 'slug') client.updateParent('environment', place.id, { slug: `${own[who][at % 2]}-x${(this.#made += 1)}` })
    else if (what === 'drop' && places.length > 1) client.deleteParent('environment', place.id)
    else if (by.value(slug, name) === undefined) return
    else if (what === 'delete') client.deleteVariable(place.id, name)
    else if (what === 'rename') client.renameVariable(place.id, name, ['A', 'B', 'C', 'D', 'E'][(at + 1 + (at % 3)) % 5] ?? name)
    else if (what === 'move') {
      const to = places[(at + 1) % places.length]?.fields.slug
      if (to !== undefined && to !== slug) await moveTo(by, to, await by.row(slug, name))
    } else if (what === 'secret') {
      const { id, fields } = client.find('variable', place.id, name)
      client.updateVariable(id, { isSecret: fields.isSecret !== true })
    }
  }

  async syncAll(): Promise<void> {
    const [me, them] = this.people
    for (const person of [me, them, me, them]) await person.sync()
  }

  async close(): Promise<void> {
    for (const { desk } of this.people) await desk.client.close()
  }
}

/** The paths of everything that a person sees, with their ids there. */
function idsByPath({ desk: { client } }: Person): Map<string, string> {
  const ids = new Map<string, string>()
  for (const project of client.children('project', null)) {
    const path = `${project.fields.slug}`
    ids.set(path, project.id)
    for (const environment of client.children('environment', project.id)) {
      ids.set(`${path}/${environment.fields.slug}`, environment.id)
      for (const { id, fields } of client.children('variable', environment.id))
        ids.set(`${path}/${environment.fields.slug}/${fields.name}`, id)
    }
  }
  return ids
}

/** The paths that a note lists: "shop/prod/A". */
function pathsIn({ rows }: RestartNote): string[] {
  const slug = (name: string) => name.toLowerCase().replaceAll(' ', '-')
  return rows.map(({ kind, name, where }) => `${where.split(' / ').map(slug).join('/')}/${kind === 'variable' ? name : slug(name ?? '')}`)
}

/** Whether a note lists what was at a path, or what it was in. A row that was deleted has another id when it is back. */
function isTold(path: string, note: RestartNote, known: readonly Map<string, string>[]): boolean {
  const parts = path.split('/')
  const paths = parts.map((_, at) => parts.slice(0, at + 1).join('/'))
  const ids = new Set(paths.flatMap((each) => known.flatMap((at) => at.get(each) ?? [])))
  const listed = pathsIn(note)
  return paths.some((each) => listed.includes(each)) || note.rows.some(({ id }) => ids.has(id))
}

/** Syncs until nothing is asked any more, and prefers what this person has. */
async function keepMine({ desk: { client } }: Person): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await client.sync()
    for (const { id } of client.queue().filter(({ conflict }) => conflict !== null)) client.resolve(id, { take: 'mine' })
  }
}

/** All paths at which the rows of some paths have been. */
function sameRows(paths: readonly string[], known: readonly Map<string, string>[]): Set<string> {
  const ids = new Set(paths.flatMap((path) => known.flatMap((at) => at.get(path) ?? [])))
  return new Set([...paths, ...known.flatMap((at) => [...at].flatMap(([path, id]) => (ids.has(id) ? [path] : [])))])
}

const differing = (a: Record<string, string>, b: Record<string, string>): string[] =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].filter((path) => a[path] !== b[path])

test(
  'whatever was done since a backup that the service goes back to, everybody is told of it, and no edit is lost',
  { timeout: 120_000 + 15_000 * runs },
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
          const known = room.people.map((person) => [idsByPath(person)])
          await command('backup', '--to', join(folder, 'backup'))
          for (const deed of synced) await room.act(deed)
          await room.syncAll()
          const reached = me.contents()
          expect([me, them].map(({ desk }) => desk.client.queue().length)).toEqual([0, 0])
          for (const [at, person] of room.people.entries()) known[at]?.push(idsByPath(person))
          for (const deed of unsent) await room.act(deed)
          const hidden = [me, them].map((person) => differing(reached, person.contents()))
          const waiting = room.people.flatMap((person, at) =>
            (hidden[at] ?? []).flatMap((path) => {
              const text = person.contents()[path]
              return text === undefined ? [] : [{ path, text }]
            }),
          )
          // Whose environments have other paths by now, or are deleted.
          const isEdited = hidden.map((paths) => paths.some((path) => path.split('/').length === 2 && path in reached))
          await command('restore', '--from', join(folder, 'backup'), '--replace')
          for (const [at, person] of room.people.entries()) {
            await person.sync()
            const note = await valueOf(person.handlers['restart.note']({ workspaceId }))
            // The first computer's unsent edits are news to the second by now, and no work of the backup.
            const edited = at === 0 ? new Set(hidden[0]) : sameRows(hidden.flat(), known[1] ?? [])
            const asked = differing(saved, reached).filter((path) => !edited.has(path) && isEdited[ownerOf(path)] !== true)
            const untold = asked.filter((path) => note === null || !isTold(path, note, known[at] ?? []))
            expect(untold).toEqual([])
          }
          // What needs a name that is taken again is said to be skipped.
          let skipped = 0
          for (const person of room.people) {
            await person.sync()
            const note = await valueOf(person.handlers['restart.note']({ workspaceId }))
            const sent = note && (await valueOf(person.handlers['restart.resend']({ workspaceId, at: note.at })))
            skipped += sent?.skipped ?? 0
            await keepMine(person)
          }
          for (const person of [...room.people, ...room.people]) await keepMine(person)
          await room.syncAll()
          expect([me, them].flatMap(({ desk }) => [...desk.client.queue(), ...desk.client.drift()])).toEqual([])
          expect(me.contents()).toEqual(them.contents())
          for (const { path, text } of waiting) expect([path, me.contents()[path]]).toEqual([path, text])
          // What had reached the service and was not touched again is back as it was.
          const touched = new Set(hidden.flat())
          for (const [path, text] of Object.entries(reached)) {
            const isTouched = [...touched].some((each) => path === each || path.startsWith(`${each}/`))
            if (!isTouched && skipped === 0) expect([path, me.contents()[path]]).toEqual([path, text])
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
