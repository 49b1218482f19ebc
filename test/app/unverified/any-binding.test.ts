import fc from 'fast-check'
import { expect, test } from 'vitest'
import { loseAnswer, TestClient, unreachable, type Network } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService } from '../../support/start-service.ts'
import { valueOf } from '../../support/value-of.ts'
import { moveTo, Person } from '../seen/two-people.ts'

/** More of them with BINDING_RUNS. */
const runs = Number(process.env['BINDING_RUNS'] ?? 8)
const key = new Uint8Array(32).fill(7)
const names = ['A', 'B', 'C', 'D']
/** Each person edits only environments of their own, so there are no conflicts. */
const places = [
  ['prod', 'stage'],
  ['dev', 'test'],
] as const

/** What one of two people does, or happens to them; numbers pick among what is there. */
interface Deed {
  do: 'set' | 'secret' | 'delete' | 'rename' | 'move' | 'undo' | 'sync' | 'cut' | 'lose' | 'restart' | 'bind'
  who: 0 | 1
  at: number
}

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    do: fc.constantFrom(
      ...(['set', 'set', 'secret', 'delete', 'rename', 'move', 'undo'] as const),
      ...(['sync', 'sync', 'sync', 'cut', 'lose', 'restart', 'bind'] as const),
    ),
    who: fc.constantFrom(0 as const, 1 as const),
    at: fc.nat(40),
  }),
  { maxLength: 40, size: 'max' },
)

/** The first few requests go through, the next one meets the fault. */
const after = (count: number, fault: Network): Network => {
  let left = count
  return (forward, request) => {
    left -= 1
    return left < 0 ? fault(forward, request) : forward()
  }
}

let typed = 0

async function act(by: Person, { do: what, who, at }: Deed): Promise<void> {
  const { client } = by.desk
  const [here, there] = at % 3 === 2 ? places[who].toReversed() : places[who]
  const name = names[at % 4]
  if (here === undefined || there === undefined || name === undefined) return
  if (what === 'set') return by.set(here, name, `text ${(typed += 1)}`)
  if (what === 'undo') return void (await by.handlers['undo.undo']({ workspaceId }))
  if (what === 'restart') return client.restart()
  if (what === 'bind') return void (await by.handlers['unverified.bind']({ workspaceId }))
  if (what === 'sync' || what === 'cut' || what === 'lose') {
    client.network = what === 'sync' ? (forward) => forward() : after(at % 7, what === 'cut' ? unreachable : loseAnswer)
    await client.sync()
    client.network = (forward) => forward()
    return
  }
  const row = (await by.rows(here)).find((each) => each.name === name)
  if (row === undefined) return
  if (what === 'secret') client.updateVariable(row.id, { isSecret: !row.isSecret })
  else if (what === 'delete') client.deleteRow(row.id)
  else if (what === 'rename') client.updateVariable(row.id, { name: names[(at + 1) % 4] ?? name })
  else await moveTo(by, there, row)
}

const ownOf = (who: number, contents: Record<string, string>) =>
  Object.entries(contents).filter(([path]) => places[who]?.some((slug) => path.startsWith(`shop/${slug}/`)))

test(
  'while all values are sealed to their variables, two people who edit are asked nothing and lose no edit',
  { timeout: 120_000 + 15_000 * runs },
  async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (list) => {
        const service = await startService()
        const join = (seed: number) => new Person(deskOf(new TestClient({ service, key, random: seededRandom(seed) })))
        const people = [join(1), join(2)] as const
        const syncAll = async () => {
          for (const person of [...people, ...people, ...people]) await person.sync()
        }
        try {
          const [me, them] = people
          me.desk.client.createProject('Shop')
          for (const name of ['Prod', 'Stage', 'Dev', 'Test']) me.desk.client.createEnvironment('shop', name)
          await me.sync()
          await them.sync()
          for (const at of [0, 1, 2, 5]) for (const who of [0, 1] as const) await act(people[who], { do: 'set', who, at })
          await syncAll()
          for (const [at, deed] of list.entries()) {
            await act(people[deed.who], deed)
            const asked = people.flatMap(({ desk }) => desk.client.queue().filter(({ conflict }) => conflict !== null))
            expect([at, deed.do, asked]).toEqual([at, deed.do, []])
          }
          // What was written by who takes every value is verified once they have them sealed too.
          for (const person of people) await valueOf(person.handlers['unverified.bind']({ workspaceId }))
          const seen = people.map((person, who) => ownOf(who, person.contents()))
          await syncAll()
          expect(people.map(({ desk }) => desk.client.queue())).toEqual([[], []])
          expect(me.contents()).toEqual(them.contents())
          expect(people.map((person, who) => ownOf(who, person.contents()))).toEqual(seen)
        } finally {
          for (const { desk } of people) await desk.client.close()
          await service.close()
        }
      }),
      { numRuns: runs },
    )
  },
)
