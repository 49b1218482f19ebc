import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { notFound, Refusal } from '../../../service/store/refusal.ts'
import { createProject, deleteProject, readProject } from '../../../service/store/projects.ts'
import type { Service } from '../../../service/app.ts'
import type { Store } from '../../../service/store/store.ts'
import { writeIn } from '../../../service/store/write.ts'
import type { Write } from '../../../service/store/write.ts'
import { databases, useServices } from '../support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from '../support/samples.ts'

const who = { at: '2026-01-01T00:00:00.000Z', by: 'test' }
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000)

const slugs = async (store: Store): Promise<string[]> => {
  const rows = await store.kysely.selectFrom('projects').select('slug').orderBy('seq').execute()
  return rows.map(({ slug }) => slug)
}
const clockOf = async (store: Store): Promise<number> => {
  const { seq } = await store.kysely.selectFrom('clock').select('seq').executeTakeFirstOrThrow()
  return seq
}
const make = (slug: string) => (write: Write) => createProject(write, { name: slug, slug })

describe.each(databases)('writes that come at once on %s', (kind) => {
  const start = useServices(kind)

  test('are done in the order they came, each seeing what the ones before it wrote', async () => {
    const { service } = await start()
    const { store } = service
    const seen: number[] = []
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        writeIn(store, service.workspaceId, who, async (write) => {
          const { count } = await write.kysely
            .selectFrom('projects')
            .select((eb) => eb.fn.countAll<number>().as('count'))
            .executeTakeFirstOrThrow()
          seen.push(count)
          return make(`p${index}`)(write)
        }),
      ),
    )
    expect(seen).toEqual(Array.from({ length: 100 }, (_, index) => index))
    expect(await slugs(store)).toEqual(Array.from({ length: 100 }, (_, index) => `p${index}`))
  })

  test('share the commit of the one that waits for the clock, which another transaction holds', async () => {
    const { service } = await start()
    const { store, workspaceId } = service
    let commits = 0
    const counted: Store = {
      ...store,
      transaction: (work) => {
        commits++
        return store.transaction(work)
      },
    }
    const held = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const holder = store.kysely.transaction().execute(async (trx) => {
      await sql`update clock set seq = seq`.execute(trx)
      held.resolve()
      await released.promise
    })
    await held.promise
    const first = writeIn(counted, workspaceId, who, make('a'))
    await setTimeout(50)
    expect(commits).toBe(1)
    const others = ['b', 'c', 'd'].map((slug) => writeIn(counted, workspaceId, who, make(slug)))
    released.resolve()
    await Promise.all([holder, first, ...others])
    expect(commits).toBe(1)
    expect(await slugs(store)).toEqual(['a', 'b', 'c', 'd'])
  })

  test('run at the same time where they touch nothing in common, and one after another where they do', async () => {
    const { service } = await start()
    const { store } = service
    const log: string[] = []
    const write = (name: string, touches?: readonly string[]) =>
      writeIn(store, service.workspaceId, touches === undefined ? who : { ...who, touches }, async (one) => {
        log.push(`${name} begins`)
        await make(name)(one)
        log.push(`${name} ends`)
      })
    await Promise.all([write('a', ['1']), write('b', ['2', '3']), write('c', ['3']), write('d'), write('e', ['4']), write('f', ['5'])])
    const place = (words: string) => log.indexOf(words)
    const overlap = (one: string, other: string) =>
      place(`${one} begins`) < place(`${other} ends`) && place(`${other} begins`) < place(`${one} ends`)
    expect({ ab: overlap('a', 'b'), bc: overlap('b', 'c'), cd: overlap('c', 'd'), de: overlap('d', 'e'), ef: overlap('e', 'f') }).toEqual({
      ab: true,
      bc: false,
      cd: false,
      de: false,
      ef: true,
    })
    expect(await slugs(store)).toEqual(expect.arrayContaining(['a', 'b', 'c', 'd', 'e', 'f']))
  })

  test('one that is refused or breaks among others that run at the same time takes nothing with it', async () => {
    const { service } = await start()
    const { store } = service
    const before = await clockOf(store)
    const outcomes = await Promise.allSettled([
      writeIn(store, service.workspaceId, { ...who, touches: ['a'] }, make('a')),
      writeIn(store, service.workspaceId, { ...who, touches: ['b'] }, async (write) => {
        await readProject(write, 'no such')
      }),
      writeIn(store, service.workspaceId, { ...who, touches: ['c'] }, make('c')),
      writeIn(store, service.workspaceId, { ...who, touches: ['d'] }, async (write) => {
        await make('undone')(write)
        await sql`insert into clock (workspace_id, seq, epoch, pruned_to) values (${service.workspaceId}, 1, 'x', 0)`.execute(write.kysely)
      }),
      writeIn(store, service.workspaceId, { ...who, touches: ['e'] }, make('e')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
    expect((await slugs(store)).sort()).toEqual(['a', 'c', 'e'])
    expect(await clockOf(store)).toBe(before + 3)
  })

  test('of 30 updates of one variable that name the same ETag one is done', async () => {
    const { call } = await start()
    await makeEnvironment(call)
    const made = await call<{ id: string }>('POST', `${devPath}/variables`, { name: 'A', value: sealed('0') })
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        call('PATCH', `/variables/${made.body.data.id}`, { value: sealed(String(index + 1)) }, { 'if-match': made.etag ?? '' }),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 29 }, () => 412)])
  })

  test('batches that create the same names at once make each of them once', async () => {
    const { call } = await start()
    const { environmentId } = await makeEnvironment(call)
    const names = Array.from({ length: 20 }, (_, index) => `N${index}`)
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => {
        const create = (name: string) => ({
          op: 'create',
          resource: 'variable',
          id: randomUUID(),
          parentId: environmentId,
          fields: { name, value: sealed(name) },
        })
        return call<{ items: { status: string; code?: number }[] }>('POST', '/changes', { changes: names.map(create) })
      }),
    )
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    const items = replies.flatMap(({ body }) => body.data.items.map(({ status, code }) => code ?? status))
    expect(items.filter((one) => one === 'done')).toHaveLength(names.length)
    expect(new Set(items)).toEqual(new Set(['done', 409]))
    expect([...(await readVariables(call)).keys()].sort()).toEqual(names.toSorted())
  })

  test('a refused one leaves nothing, and its place in the order is taken by the next', async () => {
    const { service } = await start()
    const { store } = service
    const before = await clockOf(store)
    const outcomes = await Promise.allSettled([
      writeIn(store, service.workspaceId, who, make('a')),
      writeIn(store, service.workspaceId, who, async (write) => {
        await make('undone')(write)
        throw notFound('Not here.')
      }),
      writeIn(store, service.workspaceId, who, make('a')),
      writeIn(store, service.workspaceId, who, make('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Refusal).code : null))
    expect(codes).toEqual([null, 404, 409, null])
    expect(await slugs(store)).toEqual(['a', 'b'])
    expect(await clockOf(store)).toBe(before + 2)
  })

  test('one that breaks gets its own error, and the others stand', async () => {
    const { service } = await start()
    const { store } = service
    let runs = 0
    const broken = (words: string) =>
      writeIn(store, service.workspaceId, who, async (write) => {
        await make('undone')(write)
        throw new TypeError(words)
      })
    const counted = (slug: string) =>
      writeIn(store, service.workspaceId, who, (write) => {
        runs++
        return make(slug)(write)
      })
    const outcomes = await Promise.allSettled([counted('a'), broken('first'), counted('b'), broken('second'), counted('c')])
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? (outcome.reason as Error).message : outcome.value.slug))).toEqual([
      'a',
      'first',
      'b',
      'second',
      'c',
    ])
    expect(await slugs(store)).toEqual(['a', 'b', 'c'])
    // Those that shared a transaction with a broken one ran again: they were a group.
    expect(runs).toBeGreaterThan(3)
  })

  test('a statement that the database refuses fails only the write that made it', async () => {
    const { service } = await start()
    const { store } = service
    const outcomes = await Promise.allSettled([
      writeIn(store, service.workspaceId, who, make('a')),
      writeIn(store, service.workspaceId, who, async (write) => {
        await make('undone')(write)
        await sql`insert into clock (workspace_id, seq, epoch, pruned_to) values (${service.workspaceId}, 1, 'x', 0)`.execute(write.kysely)
      }),
      writeIn(store, service.workspaceId, who, make('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(await slugs(store)).toEqual(['a', 'b'])
  })

  test('a failure that others in its transaction hear of first fails only the write that caused it', async () => {
    const { service } = await start()
    const { store, workspaceId } = service
    const broken = writeIn(store, workspaceId, { ...who, touches: ['broken'] }, async ({ kysely }) => {
      const error: unknown = await sql`select * from nowhere`.execute(kysely).catch((caught: unknown) => caught)
      await setTimeout(50)
      throw error
    })
    const sound = writeIn(store, workspaceId, { ...who, touches: ['sound'] }, async (write) => {
      await sql`select 1`.execute(write.kysely)
      await sql`select 1`.execute(write.kysely)
      return make('sound')(write)
    })
    await expect(broken).rejects.toThrow(/nowhere/)
    expect((await sound).slug).toBe('sound')
    expect(await slugs(store)).toEqual(['sound'])
  })

  test(`any mix of them does what the same ones do one by one (seed ${seed})`, async () => {
    const slug = fc.constantFrom('a', 'b', 'c')
    const step = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), slug }),
      fc.record({ kind: fc.constant('delete' as const), slug }),
      fc.record({ kind: fc.constant('break' as const), slug }),
    )
    const together = (await start()).service
    const alone = (await start()).service
    const run = ({ store, workspaceId }: Service, one: { kind: 'create' | 'delete' | 'break'; slug: string }) =>
      writeIn(store, workspaceId, who, async (write) => {
        if (one.kind === 'create') return (await make(one.slug)(write)).slug
        if (one.kind === 'delete') {
          await deleteProject(write, await readProject(write, one.slug), null)
          return one.slug
        }
        await write.kysely.deleteFrom('projects').execute()
        throw new Error('broken')
      }).catch((error: unknown) => (error instanceof Refusal ? error.code : 'broken'))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        const grouped = await Promise.all(steps.map((one) => run(together, one)))
        const single: (string | number)[] = []
        for (const one of steps) single.push(await run(alone, one))
        expect(grouped).toEqual(single)
        expect(await slugs(together.store)).toEqual(await slugs(alone.store))
      }),
      { seed, numRuns: 40 },
    )
  })
})

describe('a PostgreSQL whose tables a newer service changes meanwhile', () => {
  const start = useServices('PostgreSQL')

  test('is read and written on, with what was planned for the tables before planned again', async () => {
    const { call, service } = await start()
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const read = () => Promise.all(Array.from({ length: 10 }, () => call('GET', `${devPath}/variables/A`)))
    await read()
    await sql`alter table variables add column added text`.execute(service.store.kysely)
    const replies = await read()
    await putVariables(call, { A: '2' })
    await sql`alter table variables drop column added`.execute(service.store.kysely)
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect((await read()).map(({ status }) => status)).toEqual(replies.map(() => 200))
  })
})

describe('a commit that fails', () => {
  const start = useServices('SQLite')

  test('fails every write of its group, leaves nothing of them, and the next is fine', async () => {
    const { service } = await start()
    const { store } = service
    const outcomes = await Promise.allSettled([
      writeIn(store, service.workspaceId, who, make('a')),
      writeIn(store, service.workspaceId, who, async (write) => {
        await sql`pragma defer_foreign_keys = on`.execute(write.kysely)
        await sql`insert into environments (workspace_id, id, left_seq, project_id, name, slug, seq, ordinal, created_at, updated_at, updated_by)
          values (${service.workspaceId}, 'e', 0, 'no such project', 'E', 'e', 0, 0, '', '', '')`.execute(write.kysely)
      }),
      writeIn(store, service.workspaceId, who, make('b')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(await slugs(store)).toEqual([])
    await writeIn(store, service.workspaceId, who, make('c'))
    expect(await slugs(store)).toEqual(['c'])
  })
})
