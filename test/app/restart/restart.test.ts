import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callCommand } from '../../service/support/run-service.ts'
import { loseAnswer, TestClient } from '../../support/build-client.ts'
import { getBase } from '../../../electron/mirror/base-layer.ts'
import { beginRestart, endRestart, readRestart } from '../../../electron/sync/engine/note-restart.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { startTamperingProxy } from '../../support/tampering-proxy.ts'
import { moveTo, Person } from '../seen/two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const key = new Uint8Array(32).fill(7)
let service: StartedService
let folder: string
let me: Person

beforeEach(async () => {
  service = await startService()
  folder = await mkdtemp(join(tmpdir(), 'holdfast-restart-'))
  me = newcomer()
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  for (const name of ['CHANGED', 'SAME', 'BACK']) me.set('prod', name, 'one')
  await me.sync()
  await command('backup', '--to', join(folder, 'backup'))
})
/** A workspace that is bound takes only values that its members sealed to their variables, and no earlier one. */
const newcomer = (values?: 'bound', seed = 1) =>
  new Person(deskOf(new TestClient({ service, key, random: seededRandom(seed), ...(values && { values }) })))

afterEach(async () => {
  await me.desk.client.close()
  await service.close()
  await rm(folder, { recursive: true })
})

const command = async (...args: string[]): Promise<void> => {
  const { code, stderr } = await callCommand(...args, '--data', service.dir)
  if (code !== 0) throw new Error(stderr)
}

/** After the backup: one variable is changed, one added, one deleted, and another environment is made with one in it. */
async function workOn(): Promise<void> {
  me.set('prod', 'CHANGED', 'two')
  me.set('prod', 'ADDED', 'one')
  me.desk.client.deleteVariable(me.environmentId('prod'), 'BACK')
  me.desk.client.createEnvironment('shop', 'Dev')
  me.set('dev', 'BELOW', 'one')
  await me.sync()
}

/** The service is put back to the backup, and this computer hears of it. */
async function goBack(to = 'backup'): Promise<void> {
  await command('restore', '--from', join(folder, to), '--replace')
  await me.sync()
}

/** What a decision about the note that is on a screen carries. */
const noted = async ({ handlers }: Pick<Person, 'handlers'>) => ({
  workspaceId,
  at: (await valueOf(handlers['restart.note']({ workspaceId })))?.at ?? '',
})
const note = () => valueOf(me.handlers['restart.note']({ workspaceId }))

const idOf = (name: string, by = me): string => by.desk.client.find('variable', by.environmentId('prod'), name).id

const remoteIdOf = (id: string) => me.desk.client.mirror.snapshot((tx) => getBase(tx, id))?.remoteId

/** The service answers again, and what is tried again later is due. */
async function goOnline(): Promise<void> {
  me.desk.client.network = (forward) => forward()
  me.desk.client.skew = 3_600_000
  await me.sync()
}

test('nothing is said while the service goes on', async () => {
  await workOn()
  expect(await note()).toBeNull()
})

test('a service that went back to a backup is said once, with every row that changed by it', async () => {
  await workOn()
  await goBack()
  const rows = (await note())?.rows.map(({ name, where, change }) => [name, where, change]) ?? []
  expect(rows.toSorted()).toEqual(
    [
      ['ADDED', 'Shop / Prod', 'deleted'],
      ['BACK', 'Shop / Prod', 'added'],
      ['BELOW', 'Shop / Dev', 'deleted'],
      ['CHANGED', 'Shop / Prod', 'changed'],
      ['Dev', 'Shop', 'deleted'],
    ].toSorted(),
  )
  await valueOf(me.handlers['restart.dismiss'](await noted(me)))
  expect(await note()).toBeNull()
  await me.sync()
  expect(await note()).toBeNull()
})

test('a service that went back to what this computer has says nothing', async () => {
  await goBack()
  expect(await note()).toBeNull()
})

test('what this computer had is sent again whole, and one undo takes that back', async () => {
  await workOn()
  await goBack()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 4, inPart: 0, skipped: 0 })
  const had = { 'shop/prod/CHANGED': 'two', 'shop/prod/ADDED': 'one', 'shop/dev/BELOW': 'one', 'shop/prod/BACK': 'one' }
  expect(me.contents()).toMatchObject(had)
  await me.sync()
  expect(me.contents()).toMatchObject(had)
  expect(me.desk.client.queue()).toEqual([])
  expect(await note()).toBeNull()

  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  await me.sync()
  expect(me.value('prod', 'CHANGED')).toBe('one')
  expect(me.value('prod', 'ADDED')).toBeUndefined()
})

test('a decision that is taken while the service goes back once more, or after it, decides nothing', async () => {
  await workOn()
  await goBack()
  const shown = await noted(me)
  const { mirror } = me.desk.client
  const rows = (await note())?.rows.length
  mirror.write((tx) => beginRestart(tx, Date.parse(shown.at) + 1000))
  for (const isRead of [false, true]) {
    if (isRead) mirror.write((tx) => endRestart(tx))
    expect(await me.handlers['restart.dismiss'](shown)).toMatchObject({ ok: false, error: { kind: 'outdated' } })
    expect(await me.handlers['restart.resend'](shown)).toMatchObject({ ok: false, error: { kind: 'outdated' } })
  }
  expect((await note())?.rows.length).toBe(rows)
  expect(me.desk.client.queue()).toEqual([])
  await valueOf(me.handlers['restart.dismiss'](await noted(me)))
  expect(await note()).toBeNull()
})

test('what a colleague wrote after the restore is no work of the backup, and is not written over', async () => {
  const them = newcomer(undefined, 2)
  await them.sync()
  await workOn()
  them.set('prod', 'SAME', 'theirs')
  await command('restore', '--from', join(folder, 'backup'), '--replace')
  await them.sync()
  await me.sync()
  expect((await note())?.rows.map(({ name }) => name)).not.toContain('SAME')
  await valueOf(me.handlers['restart.resend'](await noted(me)))
  await me.sync()
  expect(me.contents()).toMatchObject({ 'shop/prod/SAME': 'theirs', 'shop/prod/CHANGED': 'two' })
  await them.desk.client.close()
})

test('what a colleague created after the restore in place of a variable is not written over', async () => {
  const them = newcomer(undefined, 2)
  await them.sync()
  them.desk.client.deleteVariable(them.environmentId('prod'), 'SAME')
  them.set('prod', 'SAME', 'theirs')
  await command('restore', '--from', join(folder, 'backup'), '--replace')
  await them.sync()
  await me.sync()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 0, inPart: 0, skipped: 1 })
  await me.sync()
  expect(me.value('prod', 'SAME')).toBe('theirs')
  await them.desk.client.close()
})

test('a new variable that a colleague has sent again as it was earlier gets its latest value', async () => {
  const them = newcomer(undefined, 2)
  me.set('prod', 'NEW', 'one')
  await me.sync()
  await them.sync()
  me.set('prod', 'NEW', 'two')
  await me.sync()
  await command('restore', '--from', join(folder, 'backup'), '--replace')
  await them.sync()
  await valueOf(them.handlers['restart.resend'](await noted(them)))
  await them.sync()
  await me.sync()
  expect(me.value('prod', 'NEW')).toBe('one')
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 1, inPart: 0, skipped: 0 })
  await me.sync()
  await them.sync()
  expect(them.contents()).toMatchObject({ 'shop/prod/NEW': 'two' })
  await them.desk.client.close()
})

test('a value that the backup undid is listed and sent again, and what a colleague then changed of its variable stays', async () => {
  const them = newcomer(undefined, 2)
  await workOn()
  await them.sync()
  await command('restore', '--from', join(folder, 'backup'), '--replace')
  await them.sync()
  await valueOf(them.handlers['restart.dismiss'](await noted(them)))
  them.desk.client.updateVariable(idOf('CHANGED', them), { isSecret: true })
  await them.sync()
  await me.sync()
  expect((await note())?.rows).toContainEqual(expect.objectContaining({ name: 'CHANGED', change: 'changed' }))
  await valueOf(me.handlers['restart.resend'](await noted(me)))
  await me.sync()
  await them.sync()
  const { fields } = them.desk.client.find('variable', them.environmentId('prod'), 'CHANGED')
  expect([them.value('prod', 'CHANGED'), fields.isSecret]).toEqual(['two', true])
  await them.desk.client.close()
})

describe('a variable that the backup made plain again, and that a colleague has edited since', () => {
  /** Restores the backup, lets a colleague edit CHANGED first, sends again what this computer had, and returns what everybody then has. */
  async function resendAfter(edit: Parameters<Person['desk']['client']['updateVariable']>[1]) {
    await me.sync()
    await command('restore', '--from', join(folder, 'backup'), '--replace')
    const them = newcomer(undefined, 2)
    await them.sync()
    const id = idOf('CHANGED', them)
    them.desk.client.updateVariable(id, edit)
    await them.sync()
    await me.sync()
    const listed = (await note())?.rows.map(({ change }) => change)
    await valueOf(me.handlers['restart.resend'](await noted(me)))
    await me.sync()
    await them.sync()
    const name = edit.name ?? 'CHANGED'
    const { fields } = them.desk.client.find('variable', them.environmentId('prod'), name)
    const then = { listed, value: them.value('prod', name), isSecret: fields.isSecret }
    await them.desk.client.close()
    return then
  }

  test('gets its secret back as a secret', async () => {
    me.desk.client.updateVariable(idOf('CHANGED'), { value: 'hush', isSecret: true })
    expect(await resendAfter({ name: 'RENAMED' })).toEqual({ listed: ['changed'], value: 'hush', isSecret: true })
  })

  test('is listed, and is a secret again with the value that the colleague has typed', async () => {
    me.desk.client.updateVariable(idOf('CHANGED'), { isSecret: true })
    expect(await resendAfter({ value: 'theirs' })).toEqual({ listed: ['changed'], value: 'theirs', isSecret: true })
  })
})

test('what colleagues made after the restore is new here, and there is nothing to send again', async () => {
  const away = newcomer(undefined, 2)
  await away.sync()
  await command('restore', '--from', join(folder, 'backup'), '--replace')
  await me.sync()
  me.set('prod', 'LATER', 'mine')
  await me.sync()
  await away.sync()
  const [row, ...others] = (await valueOf(away.handlers['restart.note']({ workspaceId })))?.rows ?? []
  expect([row?.name, row?.change, others]).toEqual(['LATER', 'added', []])
  expect(await valueOf(away.handlers['restart.resend'](await noted(away)))).toEqual({ sent: 0, inPart: 0, skipped: 0 })
  await away.desk.client.close()
})

test('what was deleted and made again under its name is sent again as it was', async () => {
  me.desk.client.deleteVariable(me.environmentId('prod'), 'CHANGED')
  await me.sync()
  await workOn()
  await goBack()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toMatchObject({ skipped: 0 })
  await me.sync()
  expect([me.value('prod', 'CHANGED'), me.desk.client.queue()]).toEqual(['two', []])
})

test('a row that was changed again since stays as it is', async () => {
  await workOn()
  await goBack()
  me.set('prod', 'CHANGED', 'three')
  await me.sync()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toMatchObject({ skipped: 1 })
  expect(me.value('prod', 'CHANGED')).toBe('three')
})

test('what else the backup undid of a row that was changed again since is sent again', async () => {
  const [changed, same] = [idOf('CHANGED'), idOf('SAME')]
  me.desk.client.updateVariable(changed, { name: 'RENAMED', value: 'two' })
  me.desk.client.updateVariable(same, { name: 'SECRET', value: 'two', isSecret: true })
  await me.sync()
  await goBack()
  me.desk.client.updateVariable(changed, { value: 'three' })
  me.desk.client.updateVariable(same, { value: 'three' })
  await me.sync()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 2, inPart: 0, skipped: 0 })
  await me.sync()
  expect([me.value('prod', 'RENAMED'), me.value('prod', 'SECRET'), me.desk.client.queue()]).toEqual(['three', 'three', []])
  expect((await me.row('prod', 'SECRET')).isSecret).toBe(true)
})

test('a value that the backup undid is sent again, under the type that its variable has been given since', async () => {
  const id = idOf('CHANGED')
  me.desk.client.updateVariable(id, { name: 'RENAMED', value: '2' })
  await me.sync()
  await goBack()
  me.desk.client.updateVariable(id, { type: 'number' })
  await me.sync()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 1, inPart: 0, skipped: 0 })
  await me.sync()
  expect([me.value('prod', 'RENAMED'), (await me.row('prod', 'RENAMED')).type]).toEqual(['2', 'number'])
})

test('a value that was typed as a secret since the restore stays one', async () => {
  const id = idOf('CHANGED')
  me.desk.client.updateVariable(id, { isSecret: true })
  await me.sync()
  await command('backup', '--to', join(folder, 'secret'))
  me.desk.client.updateVariable(id, { name: 'RENAMED', isSecret: false })
  await me.sync()
  await goBack('secret')
  me.desk.client.updateVariable(id, { value: 'typed as a secret' })
  await me.sync()
  await valueOf(me.handlers['restart.resend'](await noted(me)))
  await me.sync()
  expect([me.value('prod', 'RENAMED'), (await me.row('prod', 'RENAMED')).isSecret]).toEqual(['typed as a secret', true])
})

test('a service that goes back again before that was read is said beside it', async () => {
  await workOn()
  await goBack()
  me.set('prod', 'SAME', 'two')
  await me.sync()
  await goBack()
  expect((await note())?.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['CHANGED', 'SAME']))
})

describe('a variable that was moved since the backup', () => {
  beforeEach(async () => {
    me.desk.client.createEnvironment('shop', 'Dev')
    await me.sync()
    await command('backup', '--to', join(folder, 'with-dev'))
  })
  test.each([
    { where: 'to another environment', slug: 'dev', value: 'one' },
    { where: 'and edited there', slug: 'dev', value: 'of dev' },
    { where: 'to an environment made since', slug: 'new', value: 'one' },
    { where: 'to an environment made since, and edited there', slug: 'new', value: 'of new' },
  ])('$where is listed, and sent again to where it was', async ({ slug, value }) => {
    if (slug === 'new') me.desk.client.createEnvironment('shop', 'New')
    await me.sync()
    await moveTo(me, slug, await me.row('prod', 'CHANGED'))
    await me.sync()
    if (value !== 'one') me.set(slug, 'CHANGED', value)
    await me.sync()
    await goBack('with-dev')
    expect((await note())?.rows.map(({ name }) => name)).toContain('CHANGED')
    await valueOf(me.handlers['restart.resend'](await noted(me)))
    await me.sync()
    expect([me.value('prod', 'CHANGED'), me.value(slug, 'CHANGED'), me.desk.client.queue()]).toEqual([undefined, value, []])

    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    await me.sync()
    expect([me.value('prod', 'CHANGED'), me.value(slug, 'CHANGED')]).toEqual(['one', undefined])
  })
})

test('names that were passed on since the backup are sent again', async () => {
  me.desk.client.renameVariable(me.environmentId('prod'), 'BACK', 'FORMER')
  me.desk.client.renameVariable(me.environmentId('prod'), 'SAME', 'BACK')
  me.desk.client.renameVariable(me.environmentId('prod'), 'CHANGED', 'SAME')
  const had = me.contents()
  await me.sync()
  await goBack()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 3, inPart: 0, skipped: 0 })
  await me.sync()
  expect([me.contents(), me.desk.client.queue()]).toEqual([had, []])
})

test('a variable whose name is taken again by what the backup brought back gets its value, under the name that it has there', async () => {
  me.desk.client.deleteVariable(me.environmentId('prod'), 'SAME')
  me.desk.client.updateVariable(idOf('CHANGED'), { name: 'SAME', value: 'two' })
  await me.sync()
  await goBack()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 0, inPart: 1, skipped: 0 })
  await me.sync()
  expect([me.value('prod', 'CHANGED'), me.value('prod', 'SAME'), me.desk.client.queue()]).toEqual(['two', 'one', []])
  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  await me.sync()
  expect(me.value('prod', 'CHANGED')).toBe('one')
})

test('names that rows have exchanged since the backup are sent again, and one undo takes that back', async () => {
  const rename = (from: string, to: string) => me.desk.client.renameVariable(me.environmentId('prod'), from, to)
  me.set('prod', 'SAME', 'of same')
  me.set('prod', 'BACK', 'of back')
  await me.sync()
  await command('backup', '--to', join(folder, 'before'))
  const restored = me.contents()
  for (const [from, to] of [
    ['CHANGED', 'X'],
    ['SAME', 'CHANGED'],
    ['BACK', 'SAME'],
    ['X', 'BACK'],
  ] as const)
    rename(from, to)
  const had = me.contents()
  await me.sync()
  await goBack('before')
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 3, inPart: 0, skipped: 0 })
  expect(me.contents()).toEqual(had)
  await me.sync()
  expect([me.contents(), me.desk.client.queue()]).toEqual([had, []])

  await valueOf(me.handlers['undo.undo']({ workspaceId }))
  await me.sync()
  expect([me.contents(), me.desk.client.queue()]).toEqual([restored, []])
})

test('slugs that environments have exchanged since the backup are sent again', async () => {
  me.desk.client.createEnvironment('shop', 'Dev')
  me.set('dev', 'BELOW', 'one')
  await me.sync()
  await command('backup', '--to', join(folder, 'before'))
  const ids = { prod: me.environmentId('prod'), dev: me.environmentId('dev') }
  for (const [id, slug] of [
    [ids.prod, 'x'],
    [ids.dev, 'prod'],
    [ids.prod, 'dev'],
  ] as const)
    me.desk.client.updateParent('environment', id, { slug })
  const had = me.contents()
  await me.sync()
  await goBack('before')
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 2, inPart: 0, skipped: 0 })
  await me.sync()
  expect([me.contents(), me.desk.client.queue()]).toEqual([had, []])
})

test('what only this computer had is sent again into an environment that a colleague has sent again first', async () => {
  const them = newcomer(undefined, 2)
  await workOn()
  await them.sync()
  me.set('dev', 'MINE', 'one')
  await me.sync()
  await goBack()
  await them.sync()
  await valueOf(them.handlers['restart.resend'](await noted(them)))
  await them.sync()
  await me.sync()
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toMatchObject({ skipped: 0 })
  await me.sync()
  expect(me.contents()).toMatchObject({ 'shop/dev/MINE': 'one', 'shop/dev/BELOW': 'one' })
  await them.desk.client.close()
})

test.each(['CHANGED', 'MADE_SINCE'])(
  'after two restores, each to an older backup, the last value of %s here is sent again',
  async (name) => {
    me.set('prod', name, 'two')
    await me.sync()
    await command('backup', '--to', join(folder, 'second'))
    me.set('prod', name, 'three')
    await me.sync()
    await goBack('second')
    await goBack()
    expect((await note())?.rows.map((row) => row.name)).toEqual([name])
    expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 1, inPart: 0, skipped: 0 })
    expect(me.value('prod', name)).toBe('three')
  },
)

describe('a row that the answer to an unsent change shows before the restore is known', () => {
  test.each([
    {
      change: 'an edit of another field',
      names: ['CHANGED'],
      act: () => me.desk.client.updateVariable(idOf('CHANGED'), { isSecret: true }),
    },
    { change: 'a deletion', names: ['CHANGED'], act: () => me.desk.client.deleteVariable(me.environmentId('prod'), 'CHANGED') },
    {
      change: 'a new name of an environment made since',
      names: ['BELOW', 'Dev'],
      act: () => me.desk.client.updateParent('environment', me.environmentId('dev'), { name: 'Development' }),
    },
  ])('is listed: $change', async ({ names, act }) => {
    await workOn()
    act()
    await goBack()
    expect((await note())?.rows.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
  })

  test('is not listed when others deleted it before the restore', async () => {
    const them = newcomer(undefined, 2)
    await workOn()
    await them.sync()
    them.desk.client.deleteVariable(them.environmentId('prod'), 'CHANGED')
    await them.sync()
    me.desk.client.updateVariable(idOf('CHANGED'), { isSecret: true })
    await me.sync()
    for (const { id } of me.desk.client.queue()) me.desk.client.discard(id)
    await goBack()
    expect((await note())?.rows).toContainEqual(expect.objectContaining({ name: 'CHANGED', change: 'added' }))
    await valueOf(me.handlers['restart.resend'](await noted(me)))
    expect(me.value('prod', 'CHANGED')).toBe('one')
    await them.desk.client.close()
  })
})

test('while a change has no answer the note waits for its row, and then one choice covers all of it', async () => {
  await workOn()
  me.set('prod', 'SAME', 'two')
  await me.sync()
  const id = idOf('SAME')
  const remoteId = remoteIdOf(id)
  me.desk.client.updateVariable(id, { isSecret: true })
  await command('restore', '--from', join(folder, 'backup'), '--replace')
  me.desk.client.network = (forward, request) => (request.method === 'GET' ? forward() : loseAnswer(forward, request))
  await me.sync()
  me.desk.client.network = (forward, { path }) =>
    path.endsWith(`/${remoteId}`) ? Promise.resolve(Response.json({}, { status: 500 })) : forward()
  for (let round = 0; round < 2; round += 1) {
    await me.sync()
    expect(await note()).toBeNull()
    // Nobody is shown it yet: a choice would drop it before it is whole.
    const at = new Date(me.desk.client.mirror.snapshot(readRestart)?.at ?? 0).toISOString()
    for (const choose of [me.handlers['restart.dismiss'], me.handlers['restart.resend']])
      expect(await choose({ workspaceId, at })).toMatchObject({ ok: false, error: { kind: 'outdated' } })
  }
  await goOnline()
  expect((await note())?.rows.map(({ name }) => name).toSorted()).toEqual(['ADDED', 'BACK', 'BELOW', 'CHANGED', 'Dev', 'SAME'])
  const shown = await noted(me)
  await me.sync()
  expect(await valueOf(me.handlers['restart.resend'](shown))).toEqual({ sent: 5, inPart: 0, skipped: 0 })
})

test('what a colleague does while the note waits for an answer is not told as the work of the backup', async () => {
  me.set('prod', 'OTHER', 'one')
  await me.sync()
  await command('backup', '--to', join(folder, 'later'))
  await workOn()
  const id = idOf('SAME')
  const remoteId = remoteIdOf(id)
  me.set('prod', 'SAME', 'two')
  await me.sync()
  me.desk.client.updateVariable(id, { isSecret: true })
  await command('restore', '--from', join(folder, 'later'), '--replace')
  me.desk.client.network = (forward, { method, path }) =>
    method !== 'GET' || path.endsWith(`/${remoteId}`) ? Promise.resolve(Response.json({}, { status: 500 })) : forward()
  await me.sync()
  const them = newcomer(undefined, 2)
  await them.sync()
  them.desk.client.deleteVariable(them.environmentId('prod'), 'OTHER')
  them.set('prod', 'LATER', 'theirs')
  await them.sync()
  await them.desk.client.close()
  await me.sync()
  expect(await note()).toBeNull()
  await goOnline()
  expect((await note())?.rows.map(({ name }) => name).toSorted()).toEqual(['ADDED', 'BACK', 'BELOW', 'CHANGED', 'Dev', 'SAME'])
})

test('variables of one name that were exchanged between two environments since the backup are sent again', async () => {
  const { client } = me.desk
  client.createEnvironment('shop', 'Dev')
  me.set('prod', 'URL', 'A')
  me.set('dev', 'URL', 'B')
  await me.sync()
  await command('backup', '--to', join(folder, 'swap'))
  const { id } = await me.row('prod', 'URL')
  client.updateVariable(id, { name: 'FOR_A_MOMENT' })
  await moveTo(me, 'prod', await me.row('dev', 'URL'))
  await moveTo(me, 'dev', await me.row('prod', 'FOR_A_MOMENT'))
  client.updateVariable(id, { name: 'URL' })
  await me.sync()
  const before = me.contents()
  await goBack('swap')
  const sent = await valueOf(me.handlers['restart.resend'](await noted(me)))
  await me.sync()
  expect([sent, me.contents()]).toEqual([{ sent: 2, inPart: 0, skipped: 0 }, before])
})

test('variables that passed on their names and places since the backup are sent again, or not touched', async () => {
  const { client } = me.desk
  for (const name of ['Dev', 'Stage']) client.createEnvironment('shop', name)
  me.set('prod', 'X', 'A')
  me.set('dev', 'X', 'B')
  me.set('dev', 'Y', 'C')
  me.set('stage', 'X', 'D')
  await me.sync()
  await command('backup', '--to', join(folder, 'ring'))
  const inBackup = me.contents()
  const [b, c] = [await me.row('dev', 'X'), await me.row('dev', 'Y')]
  client.updateVariable(b.id, { name: 'FOR_A_MOMENT' })
  await moveTo(me, 'dev', await me.row('prod', 'X'))
  await moveTo(me, 'prod', await me.row('stage', 'X'))
  await me.sync()
  client.updateVariable(c.id, { name: 'Z' })
  await me.sync()
  await moveTo(me, 'stage', await me.row('dev', 'Z'))
  await me.sync()
  client.updateVariable(c.id, { name: 'X' })
  client.updateVariable(b.id, { name: 'Y' })
  await me.sync()
  const before = me.contents()
  await goBack('ring')
  const { sent } = await valueOf(me.handlers['restart.resend'](await noted(me)))
  await me.sync()
  expect(me.contents()).toEqual(sent === 0 ? inBackup : before)
})

test('after two restores, to an older backup and then to a newer one, the last values here are sent again', async () => {
  for (const name of ['CHANGED', 'MADE_SINCE']) me.set('prod', name, 'two')
  await me.sync()
  await command('backup', '--to', join(folder, 'second'))
  for (const name of ['CHANGED', 'MADE_SINCE']) me.set('prod', name, 'three')
  await me.sync()
  await goBack()
  await goBack('second')
  expect(await valueOf(me.handlers['restart.resend'](await noted(me)))).toEqual({ sent: 2, inPart: 0, skipped: 0 })
  await me.sync()
  expect([me.value('prod', 'CHANGED'), me.value('prod', 'MADE_SINCE')]).toEqual(['three', 'three'])
})

test('a row that was edited between two restores is sent again with that edit', async () => {
  await workOn()
  await goBack()
  me.set('prod', 'CHANGED', 'three')
  await me.sync()
  await goBack()
  await valueOf(me.handlers['restart.resend'](await noted(me)))
  expect(me.value('prod', 'CHANGED')).toBe('three')
})

describe('where values are bound, the earlier ones of the backup are Unverified', () => {
  beforeEach(async () => {
    await me.desk.client.close()
    await service.close()
    service = await startService()
    me = newcomer('bound')
    me.desk.client.createProject('Shop')
    me.desk.client.createEnvironment('shop', 'Prod')
    for (const name of ['CHANGED', 'SAME', 'BACK']) me.set('prod', name, 'one')
    await me.sync()
    await command('backup', '--to', join(folder, 'backup-of-bound'))
    await workOn()
    await command('restore', '--from', join(folder, 'backup-of-bound'), '--replace')
    await me.sync()
  })
  const unverified = async () =>
    (await valueOf(me.handlers['unverified.list']({ workspaceId }))).rows.map(({ name, doubt }) => `${name}: ${doubt}`)

  test('one notice tells of them', async () => {
    expect(await unverified()).toEqual(['CHANGED: superseded'])
    expect(await note()).toMatchObject({ unverified: 1 })
  })

  test('all are accepted with the data of the service, and one undo takes that back', async () => {
    expect(await valueOf(me.handlers['restart.dismiss'](await noted(me)))).toEqual({ accepted: 1 })
    expect(await unverified()).toEqual([])
    expect(me.value('prod', 'CHANGED')).toBe('one')
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    expect(await unverified()).toEqual(['CHANGED: superseded'])
  })

  test('all are sealed anew for the other members once they are accepted', async () => {
    await valueOf(me.handlers['restart.dismiss'](await noted(me)))
    await me.sync()
    expect(me.desk.client.queue()).toEqual([])
    expect(await unverified()).toEqual([])
    const other = newcomer('bound')
    await other.sync()
    expect((await valueOf(other.handlers['unverified.list']({ workspaceId }))).total).toBe(0)
    await other.desk.client.close()
  })

  test('none that no member wrote is accepted with them', async () => {
    const proxy = await startTamperingProxy(service.url)
    const other = new Person(
      deskOf(new TestClient({ service: { ...service, url: proxy.url }, key, values: 'bound', random: seededRandom(2) })),
    )
    try {
      await other.sync()
      await command('backup', '--to', join(folder, 'later'))
      for (const name of ['CHANGED', 'SAME']) other.set('prod', name, 'three')
      await other.sync()
      const forged = [...proxy.seen.values()].find(({ name }) => name === 'SAME')
      if (forged === undefined) throw new Error('the service showed no SAME')
      await command('restore', '--from', join(folder, 'later'), '--replace')
      proxy.forge([{ ...forged, value: 'of no member' }])
      await other.sync()
      const doubted = async () => (await valueOf(other.handlers['unverified.list']({ workspaceId }))).rows
      expect(await doubted()).toMatchObject([
        { name: 'CHANGED', doubt: 'superseded' },
        { name: 'SAME', doubt: 'plain' },
      ])
      expect(await valueOf(other.handlers['restart.dismiss'](await noted(other)))).toEqual({ accepted: 1 })
      expect(await doubted()).toMatchObject([{ name: 'SAME', doubt: 'plain' }])
    } finally {
      await other.desk.client.close()
      await proxy.close()
    }
  })

  test('none is left where this computer sends again what it had', async () => {
    await valueOf(me.handlers['restart.resend'](await noted(me)))
    expect(await unverified()).toEqual([])
    expect(me.value('prod', 'CHANGED')).toBe('two')
    await me.sync()
    expect(await unverified()).toEqual([])
  })
})
