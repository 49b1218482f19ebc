import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loseAnswer, unreachable, type Network } from '../../support/build-client.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { createDesk, workspaceId, type Desk } from '../../support/desk.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'

/** More of them with UNDO_RUNS. */
const runs = Number(process.env['UNDO_RUNS'] ?? 25)
const key = createHash('sha256').update('a key for tests').digest()
let service: StartedService

beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** What the user does; numbers pick among what is there. */
type Operation =
  | {
      do: 'create' | 'edit' | 'rename' | 'delete' | 'duplicate' | 'copy' | 'move' | 'class' | 'import' | 'compare-copy'
      a: number
      b: number
    }
  | { do: 'new-project' | 'new-environment' | 'rename-environment' | 'delete-environment' | 'delete-project'; a: number; b: number }
  | { do: 'sync' | 'lose' | 'offline'; a: number; b: number }

const act: fc.Arbitrary<Operation> = fc.record({
  do: fc.constantFrom(
    ...(['create', 'create', 'edit', 'edit', 'rename', 'delete', 'duplicate', 'copy', 'move', 'class', 'import', 'compare-copy'] as const),
    ...(['new-project', 'new-environment', 'rename-environment', 'delete-environment', 'delete-project'] as const),
    ...(['sync', 'sync', 'lose', 'offline'] as const),
  ),
  a: fc.nat(30),
  b: fc.nat(30),
})

/** Something to work on. */
const ground: Operation[] = [
  { do: 'new-project', a: 0, b: 0 },
  { do: 'new-environment', a: 0, b: 0 },
  { do: 'new-environment', a: 0, b: 1 },
  { do: 'import', a: 0, b: 1 },
  { do: 'import', a: 1, b: 2 },
]

const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(1, list.length)]
const names = ['A', 'B', 'C', 'D']

/** Every answer to a write is lost on the way. */
const loseWrites: Network = (forward, request) => (request.method === 'GET' ? forward() : loseAnswer(forward, request))

async function perform({ client, handlers }: Desk, { do: what, a, b }: Operation): Promise<void> {
  const projects = client.children('project', null)
  const environments = projects.flatMap((project) => client.children('environment', project.id))
  const environment = pick(environments, a)
  const variables = environment === undefined ? [] : client.children('variable', environment.id)
  const id = pick(variables, b)?.id
  const name = names[b % names.length] ?? 'A'
  const value = `value ${a * b}`
  const ids = variables.slice(b % 2).map((variable) => variable.id)
  const other = pick(environments, b)?.id
  switch (what) {
    case 'sync':
    case 'lose':
    case 'offline':
      client.network = what === 'lose' ? loseWrites : what === 'offline' ? unreachable : (forward) => forward()
      // Retries wait for minutes; a test does not.
      client.skew += 3_600_000
      await client.sync()
      return
    case 'new-project':
      await handlers['projects.create']({ workspaceId, name: `P ${name}` })
      return
    case 'delete-project':
      await handlers['projects.delete']({ seen: asShown, workspaceId, id: pick(projects, a)?.id ?? 'none' })
      return
    case 'new-environment':
      await handlers['environments.create']({ workspaceId, projectId: pick(projects, a)?.id ?? 'none', name: `E ${name}` })
      return
    default:
      break
  }
  if (environment === undefined) return
  switch (what) {
    case 'rename-environment':
      await handlers['environments.update']({ seen: asShown, workspaceId, id: environment.id, name: `E ${b}`, slug: `e-${b}` })
      return
    case 'delete-environment':
      await handlers['environments.delete']({ seen: asShown, workspaceId, id: environment.id })
      return
    case 'create':
      await handlers['variables.create']({ workspaceId, environmentId: environment.id, name, value, type: 'string', isSecret: a % 2 === 0 })
      return
    case 'import':
      await handlers['import.apply']({
        seen: asShown,
        workspaceId,
        environmentId: environment.id,
        text: `A=${a}\n${name}=${b}\nNEW_${b}=x\n`,
      })
      return
    default:
      break
  }
  if (id === undefined) return
  switch (what) {
    case 'edit':
      await handlers['variables.update']({ seen: asShown, workspaceId, id, value })
      return
    case 'rename':
      await handlers['variables.update']({ seen: asShown, workspaceId, id, name: `${name}${a % 3}` })
      return
    case 'delete':
      if (ids.length > 0) await handlers['variables.delete']({ workspaceId, rows: rowsAsShown(ids) })
      return
    case 'duplicate':
      await handlers['variables.duplicate']({ workspaceId, id, seen: asShown })
      return
    case 'copy':
    case 'move':
      if (ids.length === 0 || other === undefined) return
      await handlers['variables.copy-to']({
        workspaceId,
        seen: asShown,
        rows: rowsAsShown(ids),
        environmentId: other,
        onTaken: b % 2 === 0 ? 'skip' : 'overwrite',
        move: what === 'move',
      })
      return
    case 'class':
      await handlers['variables.update-many']({ workspaceId, rows: rowsAsShown([id, ...ids]), type: 'number', isSecret: b % 2 === 0 })
      return
    case 'compare-copy':
      await handlers['compare.copy']({
        workspaceId,
        from: { id: id, seen: asShown },
        to: environments.slice(0, 3).map((each) => ({ environmentId: each.id, seen: asShown })),
      })
  }
}

/** All the user sees, types and secrecy included, by names; never ids. */
function picture({ client }: Desk): unknown {
  expect(client.drift()).toEqual([])
  return client
    .children('project', null)
    .map((project) => [
      project.fields,
      client
        .children('environment', project.id)
        .map((environment) => [
          environment.fields,
          client
            .children('variable', environment.id)
            .map(({ fields: { value, ...fields } }) => ({ ...fields, value: value && client.cipher.open(value.sealed) }))
            .toSorted(byName),
        ])
        .toSorted(bySlug),
    ])
    .toSorted(bySlug)
}
const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }): number => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)
const bySlug = ([a]: unknown[], [b]: unknown[]): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)

/** Goes all the way in one direction, syncing now and then; every step must go. */
async function all(desk: Desk, direction: 'undo' | 'redo', between: readonly Operation[]): Promise<number> {
  for (let steps = 0; ; steps += 1) {
    const next = await desk.handlers['undo.status']({ workspaceId })
    if (!next.ok || next.value[direction] === null) return steps
    const label = next.value[direction]
    const conflicts = desk.client.queue().filter((change) => change.state === 'conflict')
    expect(conflicts).toEqual([])
    expect(await desk.handlers[direction === 'undo' ? 'undo.undo' : 'undo.redo']({ workspaceId })).toMatchObject({
      ok: true,
      value: { label },
    })
    expect(desk.client.drift()).toEqual([])
    const sync = between[steps]
    if (sync !== undefined) await perform(desk, sync)
  }
}

/** One life of a desk. Each run begins with whatever the one before left on the service. */
interface History {
  before: readonly Operation[]
  acts: readonly Operation[]
  /** Syncs between the steps of undo, and of redo. */
  back: readonly Operation[]
  forth: readonly Operation[]
  seed: number
}

async function play({ before, acts, back, forth, seed }: History): Promise<void> {
  const desk = createDesk({ service, key, random: seededRandom(seed) })
  try {
    await desk.client.sync()
    for (const each of [...ground, ...before]) await perform(desk, each)
    await perform(desk, { do: 'sync', a: 0, b: 0 })
    while (desk.context.undo.next(workspaceId, 'undo') !== null) desk.context.undo.drop(workspaceId, 'undo')
    const beginning = picture(desk)
    for (const each of acts) await perform(desk, each)
    const end = picture(desk)
    const steps = await all(desk, 'undo', back)
    expect(picture(desk)).toEqual(beginning)
    expect(await all(desk, 'redo', forth)).toBe(steps)
    expect(picture(desk)).toEqual(end)
    for (let round = 0; round < 3; round += 1) await perform(desk, { do: 'sync', a: 0, b: 0 })
    expect(desk.client.queue()).toEqual([])
    expect(picture(desk)).toEqual(end)
    const other = createDesk({ service, key, random: seededRandom(seed + 1) })
    await other.client.sync()
    const theirs = picture(other)
    await other.client.close()
    expect(theirs).toEqual(end)
  } finally {
    // Nothing of this run shall weigh on the next.
    await desk.client.sync()
    for (const project of desk.client.children('project', null)) desk.client.deleteParent('project', project.id)
    desk.client.network = (forward) => forward()
    desk.client.skew += 3_600_000
    await desk.client.sync()
    await desk.client.close()
  }
}

test('a deletion of an environment takes an edit of the same user, whose answer was lost, for no news', async () => {
  const acts: Operation[] = [
    { do: 'import', a: 8, b: 1 },
    { do: 'delete-environment', a: 0, b: 0 },
    { do: 'create', a: 0, b: 7 },
  ]
  await play({ before: [], acts, back: [{ do: 'lose', a: 0, b: 0 }], forth: [], seed: 0 })
})

test('an environment that was deleted before its project comes back into the project that undo creates again', async () => {
  const acts: Operation[] = [
    { do: 'delete-environment', a: 0, b: 0 },
    { do: 'delete-project', a: 0, b: 0 },
    { do: 'sync', a: 0, b: 0 },
  ]
  await play({ before: [], acts, back: [], forth: [], seed: 0 })
})

test(
  'whatever was done, undone to the beginning it is as it was, and redone to the end as it had become, with syncs in between',
  async () => {
    const syncs = fc.array(
      fc.record({ do: fc.constantFrom('sync' as const, 'lose' as const, 'offline' as const), a: fc.nat(3), b: fc.nat(3) }),
      { maxLength: 12 },
    )
    const history = fc.record({
      before: fc.array(act, { maxLength: 5 }),
      acts: fc.array(act, { maxLength: 14 }),
      back: syncs,
      forth: syncs,
      seed: fc.nat(),
    })
    await fc.assert(fc.asyncProperty(history, play), { numRuns: runs })
  },
  runs * 10_000,
)
