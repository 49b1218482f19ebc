import { afterEach, describe, expect, test } from 'vitest'
import type { CommandName, Commands } from '../../../electron/bridge/contract.ts'
import { createRemote } from '../../../electron/remote/create-remote.ts'
import type { RemoteResult } from '../../../electron/remote/remote.ts'
import type { RoleId } from '../../../service/protocol/roles.ts'
import { addKey } from '../../service/support/databases.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { startService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf, type TestApp } from '../workspaces/start-app.ts'

const stage = createStage()
const services: { close(): Promise<void> }[] = []
afterEach(async () => {
  await stage.clear()
  await Promise.all(services.splice(0).map((service) => service.close()))
})

const answerOf = async <T>(asked: RemoteResult<T>): Promise<T> => {
  const answer = await asked
  if (!answer.ok) throw new Error(answer.error.message)
  return answer.value
}

/** Someone with a role on a service with the environment Prod, synced; `become` gives them another role there. */
async function member(role: RoleId) {
  const service = await startService()
  services.push(service)
  const owner = createRemote({ baseUrl: service.url, apiKey: () => service.apiKey, fetch })
  const ids = [crypto.randomUUID(), crypto.randomUUID()] as const
  await answerOf(
    owner.pushChanges([
      { op: 'create', resource: 'project', id: ids[0], fields: { name: 'Shop', slug: 'shop' } },
      { op: 'create', resource: 'environment', id: ids[1], parentId: ids[0], fields: { name: 'Prod', slug: 'prod' } },
    ]),
  )
  const it = await stage.start()
  valueOf(await it.command('keys.choose', { store: 'session' }))
  const { workspaceId } = await connectTo(it, { url: service.url, apiKey: await addKey(service, role) })
  const [environment] = await it.until('environments.list', { workspaceId }, (rows) => rows.length > 0)
  const environmentId = environment?.id ?? ''
  const sync = async () => valueOf(await it.command('sync.now', { workspaceId }))
  return {
    it,
    workspaceId,
    environmentId,
    sync,
    ownerDeletesEnvironment: async () => {
      await answerOf(owner.pushChanges([{ op: 'delete', resource: 'environment', id: ids[1] }]))
    },
    add: () => it.command('variables.create', { workspaceId, environmentId, name: 'PORT', value: '80', type: 'number', isSecret: false }),
    async become(other: RoleId) {
      const members = (await answerOf(owner.listMembers(null))).items
      const { id } = members.find(({ roleId }) => roleId === role) ?? { id: '' }
      const body = JSON.stringify({ roleId: other })
      const headers = { authorization: `Bearer ${service.apiKey}`, 'content-type': 'application/json' }
      expect((await fetch(`${service.url}/members/${id}`, { method: 'PATCH', headers, body })).status).toBe(200)
      await sync()
    },
  }
}

const viewOnly = async (it: TestApp, workspaceId: string) => valueOf(await it.query('sync.status', { workspaceId })).isViewOnly
const cannot = (message: RegExp) => ({ ok: false, error: { kind: 'refused', status: 403, message: expect.stringMatching(message) } })

test.each([
  ['owner', false],
  ['admin', false],
  ['editor', false],
  ['viewer', true],
] as const)('the role %s can only view the workspace: %s', async (role, expected) => {
  const { it, workspaceId } = await member(role)
  expect(await viewOnly(it, workspaceId)).toBe(expected)
})

test('what a viewer edits is refused at once, in words, and never queued', async () => {
  const { it, workspaceId, environmentId, add } = await member('viewer')
  expect(await add()).toMatchObject(cannot(/^You can only view this workspace\. Ask an owner or admin/))
  const edits: { [N in CommandName]?: Commands[N]['args'] } = {
    'projects.create': { workspaceId, name: 'P' },
    'environments.delete': { workspaceId, id: environmentId, seen: 0 },
    'import.apply': { workspaceId, environmentId, text: 'A=1', seen: 0 },
    'versions.create': { workspaceId, environmentId },
    'members.invite': { workspaceId, email: 'eve@example.com', roleId: 'editor' },
  }
  for (const [name, args] of Object.entries(edits)) expect(await it.app.command(name, args)).toMatchObject(cannot(/^You can only view/))
  expect(valueOf(await it.query('queue.list', { workspaceId }))).toEqual([])
})

test('an editor adds variables, and is told that their role doesn’t allow a new project', async () => {
  const { it, workspaceId, add } = await member('editor')
  expect(await add()).toMatchObject({ ok: true })
  expect(await it.command('projects.create', { workspaceId, name: 'P' })).toMatchObject(
    cannot(/^Your role in this workspace doesn’t allow/),
  )
})

test('a new role counts from the next sync on', async () => {
  const { it, workspaceId, add, become } = await member('viewer')
  await become('editor')
  expect(await viewOnly(it, workspaceId)).toBe(false)
  expect(await add()).toMatchObject({ ok: true })
})

test('what waits from before can still be discarded by someone who can only view now', async () => {
  const { it, workspaceId, add, become, sync } = await member('editor')
  await sync()
  valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
  valueOf(await add())
  await become('viewer')
  expect(await viewOnly(it, workspaceId)).toBe(true)
  const [change] = valueOf(await it.query('queue.list', { workspaceId }))
  expect(change).toMatchObject({ state: 'failed' })
  valueOf(await it.command('queue.discard', { workspaceId, changeId: change?.changeId ?? '' }))
  expect(valueOf(await it.query('queue.list', { workspaceId }))).toEqual([])
})

test('an editor, who may not restore an environment that others deleted under an unsent change, creates it again', async () => {
  const { it, workspaceId, environmentId, sync, add, ownerDeletesEnvironment } = await member('editor')
  valueOf(await add())
  await sync()
  valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
  const added = { workspaceId, environmentId, name: 'ADDED', value: 'x', type: 'string', isSecret: false } as const
  valueOf(await it.command('variables.create', added))
  await ownerDeletesEnvironment()
  valueOf(await it.command('sync.pause', { workspaceId, paused: false }))
  await sync()
  const queue = await it.until('queue.list', { workspaceId }, (rows) => rows.some(({ conflict }) => conflict !== null))
  const changeId = queue.find(({ conflict }) => conflict === 'deleted-remotely')?.changeId ?? ''
  const { fingerprint } = valueOf(await it.query('conflicts.show', { workspaceId, changeId, reveal: false }))
  valueOf(await it.command('conflicts.resolve', { workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
  await sync()
  await it.until('queue.list', { workspaceId }, (rows) => rows.length === 0)
  expect(valueOf(await it.query('environments.list', { workspaceId }))).toMatchObject([{ slug: 'prod', variableCount: 2, sync: 'synced' }])
})

describe('a command that the role does not allow', () => {
  const refusedTo = async (role: RoleId) => {
    const { it, workspaceId } = await member(role)
    return Object.keys(valueOf(await it.query('sync.status', { workspaceId })).refusals)
  }

  test.each<[RoleId, CommandName[], CommandName[]]>([
    ['owner', [], ['projects.delete', 'members.invite', 'workspaces.rename']],
    ['editor', ['environments.delete', 'projects.create', 'members.invite', 'workspaces.rename', 'deleted.restore'], ['variables.update']],
    ['viewer', ['variables.update', 'versions.create', 'versions.rollback', 'history.restore', 'members.remove'], ['queue.discard']],
  ])('is named to a %s, who sees it disabled', async (role, refused, allowed) => {
    const named = await refusedTo(role)
    expect(refused.filter((command) => !named.includes(command))).toEqual([])
    expect(allowed.filter((command) => named.includes(command))).toEqual([])
  })
})

describe('what only this computer has can be discarded whatever the role', () => {
  const pausedMember = async (role: RoleId) => {
    const someone = await member(role)
    const { it, workspaceId } = someone
    await someone.sync()
    valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
    const queue = async () => valueOf(await it.query('queue.list', { workspaceId }))
    return { ...someone, queue }
  }

  test('an environment that was never sent, by an editor, who may not delete the others', async () => {
    const { it, workspaceId, environmentId, queue } = await pausedMember('editor')
    const [project] = valueOf(await it.query('projects.list', { workspaceId }))
    const create = { workspaceId, projectId: project?.id ?? '', name: 'Mine' }
    const { id } = valueOf(await it.command('environments.create', create))
    const rows = valueOf(await it.query('environments.list', { workspaceId }))
    expect(rows.map(({ name, isUnsent }) => [name, isUnsent])).toEqual([
      ['Mine', true],
      ['Prod', false],
    ])
    valueOf(await it.command('environments.delete', { workspaceId, id, seen: asShown }))
    expect(await it.command('environments.delete', { workspaceId, id: environmentId, seen: asShown })).toMatchObject(
      cannot(/^Your role in this workspace doesn’t allow/),
    )
    expect(await queue()).toEqual([])
  })

  test('an environment that was never sent with the variables in it, by an editor, unless a variable was moved there', async () => {
    const { it, workspaceId, add, sync, queue } = await pausedMember('editor')
    const moved = valueOf(await add())
    valueOf(await it.command('sync.pause', { workspaceId, paused: false }))
    await sync()
    await it.until('queue.list', { workspaceId }, (rows) => rows.length === 0)
    valueOf(await it.command('sync.pause', { workspaceId, paused: true }))
    const [project] = valueOf(await it.query('projects.list', { workspaceId }))
    const make = async (name: string) => {
      const { id } = valueOf(await it.command('environments.create', { workspaceId, projectId: project?.id ?? '', name }))
      const host = { workspaceId, environmentId: id, name: 'HOST', value: 'x', type: 'string', isSecret: false } as const
      valueOf(await it.command('variables.create', host))
      return id
    }
    const id = await make('Mine')
    valueOf(await it.command('environments.delete', { workspaceId, id, seen: asShown }))
    expect(await queue()).toEqual([])

    const other = await make('Other')
    const move = { rows: rowsAsShown([moved.id]), environmentId: other, seen: asShown, onTaken: 'skip', move: true } as const
    valueOf(await it.command('variables.copy-to', { workspaceId, ...move }))
    const refused = await it.command('environments.delete', { workspaceId, id: other, seen: asShown })
    expect(refused).toMatchObject(cannot(/^Your role in this workspace doesn’t allow/))
  })

  test('an invitation, by an admin who was demoted before it was sent', async () => {
    const { it, workspaceId, become, queue } = await pausedMember('admin')
    const { id } = valueOf(await it.command('members.invite', { workspaceId, email: 'eve@example.com', roleId: 'editor' }))
    await become('viewer')
    const members = valueOf(await it.query('members.list', { workspaceId })).rows
    const other = members.find(({ status }) => status !== 'unsent')?.id ?? ''
    expect(await it.command('members.remove', { workspaceId, id: other })).toMatchObject(cannot(/^You can only view/))
    valueOf(await it.command('members.remove', { workspaceId, id }))
    expect(await queue()).toEqual([])
  })

  test('a variable, by an editor who was demoted before it was sent', async () => {
    const { it, workspaceId, environmentId, add, become, queue } = await pausedMember('editor')
    const { id } = valueOf(await add())
    await become('viewer')
    const page = valueOf(await it.query('variables.page', { workspaceId, environmentId, filter: '', offset: 0, limit: 10 }))
    expect(page.rows).toMatchObject([{ id, isUnsent: true }])
    valueOf(await it.command('variables.delete', { workspaceId, rows: rowsAsShown([id]) }))
    expect(await queue()).toEqual([])
  })
})
