import { describe, expect, test } from 'vitest'
import { conflictsHandlers } from '../../../electron/app/queue/conflicts-handlers.ts'
import type { HistoryRow } from '../../../electron/bridge/rows.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { asShown, resolveAsShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createMeeting, moveTo } from '../seen/two-people.ts'

const stage = createServiceStage()
const meet = createMeeting()

/** Somebody who has what is on the service. */
async function another(): Promise<{ desk: Desk; prod: string }> {
  const desk = deskOf(stage.open())
  await desk.client.sync()
  return { desk, prod: prodOf(desk) }
}

/** The first one, with shop/prod on the service. */
async function shop(): Promise<{ desk: Desk; prod: string }> {
  const desk = deskOf(stage.open())
  desk.client.createProject('Shop')
  desk.client.createEnvironment('shop', 'Prod')
  await desk.client.sync()
  return { desk, prod: prodOf(desk) }
}

const prodOf = ({ client }: Desk): string => client.find('environment', client.find('project', null, 'shop').id, 'prod').id
const idOf = (desk: Desk, name: string): string => desk.client.find('variable', prodOf(desk), name).id
const list = (desk: Desk, environmentId: string | null, variableId: string | null = null) =>
  valueOf(desk.handlers['history.list']({ workspaceId, environmentId, variableId }))
const restore = (desk: Desk, row: HistoryRow | undefined, variableId: string | null = null) =>
  desk.handlers['history.restore']({ seen: asShown, workspaceId, variableId, entry: row?.entry ?? 0 })

async function revealed(desk: Desk, rows: readonly HistoryRow[]): Promise<(string | null)[]> {
  const values = await valueOf(desk.handlers['history.values']({ workspaceId, entries: rows.map((row) => row.entry), reveal: true }))
  return rows.map((row) => values.find((value) => value.entry === row.entry)?.value ?? null)
}

const createSecret = (desk: Desk, name: string) =>
  valueOf(
    desk.handlers['variables.create']({ workspaceId, environmentId: prodOf(desk), name, value: 'hush', type: 'string', isSecret: true }),
  )
/** What the history shows of values that are not revealed. */
const look = (desk: Desk, rows: readonly HistoryRow[]) =>
  valueOf(desk.handlers['history.values']({ workspaceId, entries: rows.map((row) => row.entry), reveal: false }))

describe('what was overwritten is kept and can be restored', () => {
  test('by my own edit, once it was sent', async () => {
    const { desk, prod } = await shop()
    desk.client.setVariable(prod, 'A', 'first')
    await desk.client.sync()
    desk.client.setVariable(prod, 'A', 'second')
    expect(await list(desk, prod)).toEqual([])
    await desk.client.sync()
    const rows = await list(desk, prod, idOf(desk, 'A'))
    expect(rows).toMatchObject([{ name: 'A', where: 'Shop / Prod', whose: 'mine', why: 'changed', by: null, canRestore: true }])
    expect(await revealed(desk, rows)).toEqual(['first'])
    await valueOf(restore(desk, rows[0]))
    await desk.client.sync()
    expect(desk.client.contents()).toMatchObject({ 'shop/prod/A': 'first' })
    const after = await list(desk, prod)
    expect(after.map(({ canRestore }) => canRestore)).toEqual([true, false])
    expect(await revealed(desk, after)).toEqual(['second', 'first'])
  })

  test('by an edit of mine that never left this computer', async () => {
    const { desk, prod } = await shop()
    desk.client.setVariable(prod, 'A', 'typed and never sent')
    desk.client.setVariable(prod, 'A', 'typed over it')
    const rows = await list(desk, prod)
    expect(rows).toMatchObject([{ name: 'A', whose: 'mine', why: 'changed' }])
    expect(await revealed(desk, rows)).toEqual(['typed and never sent'])
  })

  test('by somebody else, with the name of who it was where the service says', async () => {
    const { desk, prod } = await shop()
    desk.client.setVariable(prod, 'A', 'mine')
    await desk.client.sync()
    const { desk: other, prod: there } = await another()
    other.client.setVariable(there, 'A', 'theirs')
    await other.client.sync()
    await desk.client.sync()
    const rows = await list(desk, prod)
    expect(rows).toMatchObject([{ name: 'A', whose: 'theirs', why: 'changed', by: expect.any(String) }])
    expect(await revealed(desk, rows)).toEqual(['mine'])
  })

  test('by its service in a local workspace, whose only user I am: a rollback of mine, for one', async () => {
    const desk = deskOf(stage.open(), { kind: 'local' })
    const { desk: other, prod } = await shop()
    other.client.setVariable(prod, 'A', 'first')
    await other.client.sync()
    await desk.client.sync()
    other.client.setVariable(prod, 'A', 'as the service has it now')
    await other.client.sync()
    await desk.client.sync()
    expect(await list(desk, prodOf(desk))).toMatchObject([{ name: 'A', whose: 'mine', why: 'changed' }])
  })

  test.each(['me', 'someone else'])('by a deletion of %s: it is listed under its environment, and created again as it was', async (who) => {
    const { desk, prod } = await shop()
    const input = { workspaceId, environmentId: prod, name: 'A', value: '42', type: 'number', isSecret: false } as const
    await valueOf(desk.handlers['variables.create'](input))
    await desk.client.sync()
    const deleter = who === 'me' ? desk : (await another()).desk
    await valueOf(deleter.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([idOf(deleter, 'A')]) }))
    await deleter.client.sync()
    await desk.client.sync()
    const rows = await list(desk, prod)
    expect(rows).toMatchObject([{ name: 'A', whose: who === 'me' ? 'mine' : 'theirs', why: 'deleted', isSecret: false, canRestore: true }])
    await valueOf(restore(desk, rows[0]))
    await desk.client.sync()
    expect(desk.client.contents()).toMatchObject({ 'shop/prod/A': '42' })
    const [page] = (await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId: prod, filter: '', offset: 0, limit: 10 })))
      .rows
    expect(page).toMatchObject({ name: 'A', type: 'number', isSecret: false })
    expect(await list(desk, prod)).toMatchObject([{ canRestore: false }])
  })

  test('by theirs, when I took theirs over a variable that both made', async () => {
    const { desk, prod } = await shop()
    const { desk: other, prod: there } = await another()
    other.client.setVariable(there, 'A', 'theirs')
    await other.client.sync()
    desk.client.setVariable(prod, 'A', 'mine')
    await desk.client.sync()
    const [conflict] = await valueOf(desk.handlers['queue.list']({ workspaceId }))
    expect(conflict).toMatchObject({ state: 'conflict' })
    await valueOf(resolveAsShown(desk.handlers, { changeId: conflict?.changeId ?? '', choice: { take: 'theirs' } }))
    const rows = await list(desk, prod)
    expect(rows).toMatchObject([{ name: 'A', whose: 'theirs', why: 'given-up' }])
    expect(await revealed(desk, rows)).toEqual(['mine'])
  })

  test('by theirs, when I took their deletion of what I had changed', async () => {
    const { desk, prod } = await shop()
    desk.client.setVariable(prod, 'A', 'before')
    await desk.client.sync()
    const { desk: other } = await another()
    await valueOf(other.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([idOf(other, 'A')]) }))
    await other.client.sync()
    desk.client.setVariable(prod, 'A', 'mine')
    await desk.client.sync()
    const [conflict] = await valueOf(desk.handlers['queue.list']({ workspaceId }))
    await valueOf(resolveAsShown(desk.handlers, { changeId: conflict?.changeId ?? '', choice: { take: 'theirs' } }))
    const rows = await list(desk, prod)
    expect(rows).toMatchObject([{ why: 'given-up', canRestore: true }])
    expect(await revealed(desk, rows)).toEqual(['mine'])
    await valueOf(restore(desk, rows[0]))
    await desk.client.sync()
    expect(desk.client.contents()).toMatchObject({ 'shop/prod/A': 'mine' })
  })
})

test('what was typed below a place that somebody deleted is kept when that place is given up', async () => {
  const { desk, prod } = await shop()
  desk.client.setVariable(prod, 'A', 'before')
  desk.client.setVariable(prod, 'B', 'old')
  await desk.client.sync()
  const { desk: other } = await another()
  await valueOf(other.handlers['projects.delete']({ seen: asShown, workspaceId, id: other.client.find('project', null, 'shop').id }))
  await other.client.sync()
  desk.client.setVariable(prod, 'A', 'mine')
  desk.client.setVariable(prod, 'NEW', 'mine too')
  desk.client.renameVariable(prod, 'B', 'C')
  await desk.client.sync()
  const conflict = desk.client.queue().find((change) => change.conflict !== null)
  await valueOf(resolveAsShown(desk.handlers, { changeId: conflict?.id ?? '', choice: { take: 'theirs' } }))
  expect(desk.client.queue()).toEqual([])
  const rows = await list(desk, null)
  const kept = rows.map(({ name, why }) => `${name} ${why}`)
  expect(kept.toSorted()).toEqual(['A given-up', 'C deleted', 'NEW given-up'])
  expect((await revealed(desk, rows)).toSorted()).toEqual(['mine', 'mine too', 'old'])
})

test('what was typed into a variable in conflict is kept when the variable is deleted instead of a choice', async () => {
  const { desk, prod } = await shop()
  desk.client.setVariable(prod, 'A', 'before')
  await desk.client.sync()
  const { desk: other, prod: there } = await another()
  other.client.setVariable(there, 'A', 'theirs')
  await other.client.sync()
  desk.client.setVariable(prod, 'A', 'mine')
  await desk.client.sync()
  expect(desk.client.queue()).toMatchObject([{ state: 'conflict' }])
  await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([idOf(desk, 'A')]) }))
  const mine = (await list(desk, prod)).filter(({ whose }) => whose === 'mine')
  expect(mine).toMatchObject([{ name: 'A', why: 'deleted' }])
  expect(await revealed(desk, mine)).toEqual(['mine'])
})

test('a secret stays masked until it is asked for; one whose environment is gone says so and is not restored', async () => {
  const { desk, prod } = await shop()
  await createSecret(desk, 'TOKEN')
  await desk.client.sync()
  await valueOf(desk.handlers['environments.delete']({ seen: asShown, workspaceId, id: prod }))
  await desk.client.sync()
  const rows = await list(desk, null)
  expect(rows).toMatchObject([{ name: 'TOKEN', why: 'deleted', where: '', canRestore: false }])
  expect(await look(desk, rows)).toMatchObject([{ state: 'masked', value: null }])
  expect(await restore(desk, rows[0])).toMatchObject({ ok: false, error: { kind: 'not-found' } })
})

test('what was in plain sight then is masked once its variable is a secret, and stays so when that is deleted', async () => {
  const { desk, prod } = await shop()
  const input = { workspaceId, environmentId: prod, name: 'A', value: 'before', type: 'string', isSecret: false } as const
  await valueOf(desk.handlers['variables.create'](input))
  await desk.client.sync()
  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf(desk, 'A'), value: 'after' }))
  await desk.client.sync()
  const entries = (await list(desk, prod)).map((row) => row.entry)
  const shown = (reveal: boolean) => valueOf(desk.handlers['history.values']({ workspaceId, entries, reveal }))
  expect(await shown(false)).toMatchObject([{ state: 'shown', value: 'before' }])
  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf(desk, 'A'), isSecret: true }))
  expect(await list(desk, prod)).toMatchObject([{ isSecret: true }])
  expect(await shown(false)).toMatchObject([{ state: 'masked', value: null }])
  expect(await shown(true)).toMatchObject([{ state: 'shown', value: 'before' }])
  await desk.client.sync()
  await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([idOf(desk, 'A')]) }))
  await desk.client.sync()
  const rows = await list(desk, prod)
  expect(rows).toMatchObject([{ isSecret: true }, { isSecret: true }])
  expect(await shown(false)).toMatchObject([{ state: 'masked', value: null }])
  await valueOf(restore(desk, rows[1]))
  const page = await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId: prod, filter: '', offset: 0, limit: 10 }))
  expect(page.rows).toMatchObject([{ name: 'A', isSecret: true }])
})

test('what was in plain sight is masked once another variable of its name is a secret', async () => {
  const { desk, prod } = await shop()
  desk.client.setVariable(prod, 'A', 'before')
  await desk.client.sync()
  desk.client.deleteVariable(prod, 'A')
  await desk.client.sync()
  expect(await list(desk, prod)).toMatchObject([{ isSecret: false }])
  await createSecret(desk, 'A')
  const rows = await list(desk, prod)
  expect(rows).toMatchObject([{ isSecret: true }])
  expect(await look(desk, rows)).toMatchObject([{ state: 'masked', value: null }])
})

describe('a value that is masked in the history stays masked when it is restored', () => {
  test.each([
    {
      into: 'its variable, which is in plain sight now',
      edit: (desk: Desk) => desk.client.updateVariable(idOf(desk, 'TOKEN'), { value: 'see config', isSecret: false }),
    },
    {
      into: 'a variable of its name that is in plain sight',
      edit: async (desk: Desk) => {
        desk.client.deleteVariable(prodOf(desk), 'TOKEN')
        await desk.client.sync()
        desk.client.setVariable(prodOf(desk), 'TOKEN', 'see config')
      },
    },
  ])('in $into', async ({ edit }) => {
    const { desk, prod } = await shop()
    await createSecret(desk, 'TOKEN')
    await desk.client.sync()
    await edit(desk)
    await desk.client.sync()
    const [row] = await list(desk, prod)
    expect(row).toMatchObject({ name: 'TOKEN', isSecret: true, canRestore: true })
    await valueOf(restore(desk, row))
    const ids = [idOf(desk, 'TOKEN')]
    expect(await valueOf(desk.handlers['variables.values']({ workspaceId, ids, reveal: false }))).toMatchObject([{ state: 'masked' }])
    await desk.client.sync()
    const { desk: others } = await another()
    const { fields } = others.client.find('variable', prodOf(others), 'TOKEN')
    expect([others.client.contents()['shop/prod/TOKEN'], fields.isSecret]).toEqual(['hush', true])
  })
})

describe('a value of a variable that was moved to another environment is restored', () => {
  test.each([
    ['where it was overwritten, from the list of that environment', 'prod', 'again', { dev: 'new', prod: 'old' }],
    ['where it was overwritten, although no variable has its name there', 'prod', 'no more', { dev: 'new', prod: 'old' }],
    ['in the variable, from the history of that variable', 'variable', 'again', { dev: 'old', prod: 'made again' }],
  ] as const)('%s', async (_words, of, inProd, left) => {
    const { me } = await meet()
    for (const value of ['old', 'new']) {
      me.set('prod', 'TOKEN', value)
      await me.sync()
    }
    const { id, rev } = await me.row('prod', 'TOKEN')
    await moveTo(me, 'dev', { id, rev })
    await me.sync()
    if (inProd === 'again') me.set('prod', 'TOKEN', 'made again')
    await me.sync()
    const variableId = of === 'variable' ? id : null
    const rows = await list(me.desk, me.environmentId(of === 'prod' ? 'prod' : 'dev'), variableId)
    const values = await revealed(me.desk, rows)
    const row = rows[values.indexOf('old')]
    expect(row).toMatchObject({ canRestore: true, where: of === 'prod' ? 'Shop / Prod' : 'Shop / Dev' })
    await valueOf(restore(me.desk, row, variableId))
    await me.sync()
    expect({ dev: me.value('dev', 'TOKEN'), prod: me.value('prod', 'TOKEN') }).toEqual(left)
  })
})

test('a clock that is a year ahead hides nothing', async () => {
  const { desk, prod } = await shop()
  desk.client.setVariable(prod, 'A', 'first')
  desk.client.setVariable(prod, 'A', 'second')
  desk.client.skew += 365 * 24 * 3_600_000
  expect(await list(desk, prod)).toHaveLength(1)
})

test('after 30 days it is forgotten', async () => {
  const { desk, prod } = await shop()
  desk.client.setVariable(prod, 'A', 'first')
  desk.client.setVariable(prod, 'A', 'second')
  const rows = await list(desk, prod)
  expect(rows).toHaveLength(1)
  for (let day = 0; day < 31; day++) {
    desk.client.skew += 24 * 3_600_000
    await desk.client.sync()
  }
  expect(await list(desk, prod)).toEqual([])
  expect(await restore(desk, rows[0])).toMatchObject({ ok: false, error: { kind: 'not-found' } })
})

test('where all values are masked, a conflict shows none until it is asked for', async () => {
  const { desk, prod } = await shop()
  const input = { workspaceId, environmentId: prod, name: 'A', value: 'before', type: 'string', isSecret: false } as const
  await valueOf(desk.handlers['variables.create'](input))
  await desk.client.sync()
  const { desk: other } = await another()
  await valueOf(other.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf(other, 'A'), value: 'theirs' }))
  await other.client.sync()
  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: idOf(desk, 'A'), value: 'mine' }))
  await desk.client.sync()
  const changeId = (await valueOf(desk.handlers['queue.list']({ workspaceId })))[0]?.changeId ?? ''
  const sides = async (reveal: boolean, maskAll: boolean) => {
    const settings = { get: () => ({ ...desk.context.settings.get(), maskAll }) }
    const { 'conflicts.show': show } = conflictsHandlers({ ...desk.context, settings: { ...desk.context.settings, ...settings } })
    const { fields } = await valueOf(show({ workspaceId, changeId, reveal }))
    return fields.filter((field) => field.field === 'value').map(({ mine, theirs }) => [mine.text, theirs.text])
  }
  expect(await sides(false, false)).toEqual([['mine', 'theirs']])
  expect(await sides(false, true)).toEqual([[null, null]])
  expect(await sides(true, true)).toEqual([['mine', 'theirs']])
})
