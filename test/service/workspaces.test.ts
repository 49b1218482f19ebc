import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { run } from '../../service/cli/run.ts'
import { endpoints } from '../../service/routes/all.ts'
import { checkBackup, restoreBackup, writeBackup } from '../../service/store/backup.ts'
import type { Storage } from '../../service/store/open-store.ts'
import { client } from './support/client.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import type { TestService } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'
import { placeOptions } from './support/place-options.ts'

interface Ran {
  code: number
  lines: Record<string, unknown>[]
  errors: string[]
}

/** Runs a command of the service and gives what it printed. */
const command = async (storage: Storage, ...args: string[]): Promise<Ran> => {
  const lines: Record<string, unknown>[] = []
  const errors: string[] = []
  const output = {
    print: (line: object) => void lines.push({ ...line }),
    printError: (message: string) => void errors.push(message),
  }
  return { code: await run([...args, ...placeOptions(storage)], output), lines, errors }
}

const addWorkspace = async ({ storage, url }: TestService, slug: string): Promise<{ id: string; call: Call }> => {
  const { lines } = await command(storage, 'workspaces', 'create', '--name', slug, '--slug', slug, '--owner', 'owner@example.com')
  return { id: String(lines[0]?.['workspaceId']), call: client(url, String(lines[0]?.['apiKey'])) }
}

/** Everything that a workspace has, of every kind. */
const fill = async (call: Call, mark: string) => {
  const { projectId, environmentId } = await makeEnvironment(call)
  await putVariables(call, { [`${mark}_A`]: `${mark} one`, [`${mark}_B`]: `${mark} two` })
  const version = await call<{ id: string }>('POST', `${devPath}/versions`, { label: `${mark}-label` })
  const member = await call<{ id: string }>('POST', '/members', { email: `${mark}@example.com`, roleId: 'editor' })
  await call('POST', '/projects/app/environments', { name: `${mark} old`, slug: 'old' })
  const deleted = await call<{ id: string }>('DELETE', '/projects/app/environments/old')
  const variableId = (await readVariables(call)).get(`${mark}_A`)?.id ?? ''
  return {
    projectId,
    environmentId,
    variableId,
    versionId: version.body.data.id,
    memberId: member.body.data.id,
    deletedId: deleted.body.data.id,
  }
}

interface FeedPage {
  items: { id: string }[]
  nextCursor: string
}

describe.each(databases)('two workspaces on %s', (kind) => {
  const start = useServices(kind)

  /** A workspace `ours` with everything in it, and the owner of another one, which has nothing but a project of another slug. */
  const startTwo = async () => {
    const service = await start()
    const ours = await fill(service.call, 'OURS')
    const other = await addWorkspace(service, 'other')
    expect((await other.call('POST', '/projects', { name: 'Else', slug: 'else' })).status).toBe(201)
    const before = (await service.call<FeedPage>('GET', '/changes?limit=1000')).body.data
    const unchanged = async () => expect((await service.call<FeedPage>('GET', '/changes?limit=1000')).body.data).toEqual(before)
    return { service, ours, other, before, unchanged }
  }

  test('no route shows or changes anything of another workspace', async () => {
    const { ours, other, unchanged } = await startTwo()
    const idOf = (path: string): string => {
      if (path.startsWith('/versions/')) return ours.versionId
      if (path.startsWith('/members/')) return ours.memberId
      if (path.startsWith('/deleted/')) return ours.deletedId
      return ours.variableId
    }
    const bodies: Record<string, unknown> = {
      'PATCH /projects/{slug}': { name: 'Theirs' },
      'POST /projects/{slug}/environments': { name: 'Theirs', slug: 'theirs' },
      'PATCH /projects/{slug}/environments/{environmentSlug}': { name: 'Theirs' },
      'POST /projects/{slug}/environments/{environmentSlug}/variables': { name: 'THEIRS', value: sealed('1') },
      'DELETE /projects/{slug}/environments/{environmentSlug}/variables': { names: ['OURS_A'] },
      'PATCH /variables/{id}': { value: sealed('1') },
      'PATCH /members/{id}': { roleId: 'viewer' },
    }
    const records = {
      project: ours.projectId,
      environment: ours.environmentId,
      variable: ours.variableId,
      version: ours.versionId,
      member: ours.memberId,
    }
    for (const { method, path } of endpoints) {
      if (!path.includes('{')) continue
      const paths = path.includes('{resource}')
        ? Object.entries(records).map(([resource, id]) => path.replace('{resource}', resource).replace('{id}', id))
        : [path.replace('{slug}', 'app').replace('{environmentSlug}', 'dev').replace('{name}', 'OURS_A').replace('{id}', idOf(path))]
      for (const one of paths) expect([one, (await other.call(method, one, bodies[`${method} ${path}`])).status]).toEqual([one, 404])
    }
    const marks = ['OURS', ...Object.values(ours)]
    for (const { method, path } of endpoints) {
      if (method !== 'GET' || path.includes('{')) continue
      const reply = await other.call(method, `${path}?limit=1000`)
      const text = JSON.stringify(reply.body)
      expect([path, reply.status, marks.filter((mark) => text.includes(mark))]).toEqual([path, 200, []])
    }
    await unchanged()
  })

  test('a batch of changes finds nothing of another workspace', async () => {
    const { ours, other, unchanged } = await startTwo()
    const [newOne, newTwo] = [randomUUID(), randomUUID()]
    const own = await makeEnvironment(other.call)
    const movable = await other.call<{ id: string }>('POST', `${devPath}/variables`, { name: 'OWN', value: sealed('1') })
    expect([own.environmentId === ours.environmentId, movable.status]).toEqual([false, 201])
    const changes = [
      { op: 'update', resource: 'project', id: ours.projectId, fields: { name: 'Theirs' } },
      { op: 'create', resource: 'environment', id: newOne, parentId: ours.projectId, fields: { name: 'T', slug: 'theirs' } },
      { op: 'update', resource: 'environment', id: ours.environmentId, fields: { name: 'Theirs' } },
      { op: 'create', resource: 'variable', id: newTwo, parentId: ours.environmentId, fields: { name: 'T', value: sealed('1') } },
      { op: 'update', resource: 'variable', id: ours.variableId, fields: { value: sealed('1') } },
      { op: 'update', resource: 'variable', id: movable.body.data.id, fields: { parentId: ours.environmentId } },
      { op: 'create', resource: 'version', id: randomUUID(), parentId: ours.environmentId, fields: { label: 'T' } },
      { op: 'rollback', resource: 'version', id: ours.versionId },
      { op: 'update', resource: 'member', id: ours.memberId, fields: { roleId: 'viewer' } },
    ]
    const reply = await other.call<{ items: { status: string; code?: number }[] }>('POST', '/changes', { changes })
    expect(reply.body.data.items.map(({ status, code }) => [status, code])).toEqual(changes.map(() => ['failed', 404]))
    // Deleting what does not exist is done, and deletes nothing.
    const deletes = (['variable', 'environment', 'project', 'member'] as const).map((resource) => ({
      op: 'delete',
      resource,
      id: { variable: ours.variableId, environment: ours.environmentId, project: ours.projectId, member: ours.memberId }[resource],
    }))
    await other.call('POST', '/changes', { changes: deletes })
    await unchanged()
  })

  test('the same ids, slugs, names and e-mails can be in both', async () => {
    const { service, ours, other, unchanged } = await startTwo()
    const changes = [
      { op: 'create', resource: 'project', id: ours.projectId, fields: { name: 'App', slug: 'app' } },
      { op: 'create', resource: 'environment', id: ours.environmentId, parentId: ours.projectId, fields: { name: 'Dev', slug: 'dev' } },
      {
        op: 'create',
        resource: 'variable',
        id: ours.variableId,
        parentId: ours.environmentId,
        fields: { name: 'OURS_A', value: sealed('x') },
      },
      { op: 'create', resource: 'version', id: ours.versionId, parentId: ours.environmentId, fields: { label: 'OURS-label' } },
      { op: 'create', resource: 'member', id: ours.memberId, fields: { email: 'OURS@example.com', roleId: 'viewer' } },
    ]
    const reply = await other.call<{ items: { status: string }[] }>('POST', '/changes', { changes })
    expect(reply.body.data.items.map(({ status }) => status)).toEqual(changes.map(() => 'done'))
    await unchanged()
    expect((await other.call<{ value: string }>('GET', `${devPath}/variables/OURS_A`)).body.data.value).toBe(sealed('x'))
    expect((await service.call<{ value: string }>('GET', `${devPath}/variables/OURS_A`)).body.data.value).toBe(sealed('OURS one'))
    // What one of them deletes and restores stays its own.
    await other.call('DELETE', '/projects/app')
    await unchanged()
    expect((await other.call('POST', `/deleted/${ours.projectId}/restore`)).status).toBe(200)
    expect((await other.call<{ variables: unknown[] }>('GET', `/versions/${ours.versionId}`)).body.data.variables).toHaveLength(1)
    await unchanged()
  })

  test('a cursor of one feed is of another history for the other, and a cursor of a list shows only what is its own', async () => {
    const { service, other, before } = await startTwo()
    expect((await other.call('GET', `/changes?cursor=${before.nextCursor}`)).status).toBe(410)
    const list = await service.call<{ items: unknown[]; nextCursor: string | null }>('GET', '/members?limit=1')
    const shown = await other.call<{ items: { email: string }[] }>('GET', `/members?cursor=${list.body.data.nextCursor}`)
    expect(JSON.stringify(shown.body)).not.toContain('OURS')
  })

  test('after a restore, too, a cursor of one feed is of another history for the other', async () => {
    const { service, other } = await startTwo()
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-workspaces-'))
    const { store } = service.service
    await writeBackup(store, join(folder, 'backup'), '2026-01-01T00:00:00.000Z')
    await restoreBackup(store, await checkBackup(join(folder, 'backup')), { replace: true, now: Date.now(), randomBytes })
    await rm(folder, { recursive: true })
    const { nextCursor } = (await service.call<{ nextCursor: string }>('GET', '/changes')).body.data
    expect((await service.call('GET', `/changes?cursor=${nextCursor}`)).status).toBe(200)
    expect((await other.call('GET', `/changes?cursor=${nextCursor}`)).status).toBe(410)
  })

  test('an Idempotency-Key of one is not one of the other', async () => {
    const { service, other } = await startTwo()
    const body = { name: 'P', slug: 'p' }
    const made = await service.call<{ id: string }>('POST', '/projects', body, { 'idempotency-key': 'one' })
    const theirs = await other.call<{ id: string }>('POST', '/projects', body, { 'idempotency-key': 'one' })
    expect([made.status, theirs.status, theirs.body.data.id === made.body.data.id]).toEqual([201, 201, false])
  })

  test('the command line makes, lists and deletes them, and asks which one a key is for', async () => {
    const service = await start()
    await fill(service.call, 'OURS')
    const other = await addWorkspace(service, 'other')
    await fill(other.call, 'THEIRS')
    const { storage } = service
    expect((await command(storage, 'workspaces', 'list')).lines.map((line) => line['workspaceId'])).toEqual([service.workspaceId, other.id])
    const keyFor = (...more: string[]) => command(storage, 'keys', 'create', '--email', 'THEIRS@example.com', ...more)
    expect((await keyFor()).errors).toEqual([expect.stringContaining('There are several workspaces')])
    expect((await keyFor('--workspace', service.workspaceId)).errors).toEqual([expect.stringContaining('isn’t a member of this workspace')])
    const made = (await keyFor('--workspace', other.id)).lines[0]
    expect((await client(service.url, String(made?.['apiKey']))('GET', '/workspace')).body.data['id']).toBe(other.id)
    expect((await command(storage, 'prune', '--older-than-days', '1')).code).toBe(0)

    const before = (await service.call('GET', '/changes?limit=1000')).body
    expect((await command(storage, 'workspaces', 'delete', other.id)).lines).toEqual([{ workspaceId: other.id, deleted: true }])
    expect((await command(storage, 'workspaces', 'delete', other.id)).errors).toEqual([
      expect.stringContaining('No workspace has this id.'),
    ])
    expect((await service.call('GET', '/changes?limit=1000')).body).toEqual(before)
    const left = ['variables', 'version_variables', 'members', 'keys', 'audit', 'tombstones', 'clock', 'deletions', 'archived_environments']
    for (const table of left) {
      const rows = await sql<{ workspace_id: string }>`select distinct workspace_id from ${sql.table(table)}`.execute(
        service.service.store.kysely,
      )
      expect([table, rows.rows.map((row) => row.workspace_id)]).toEqual([table, [service.workspaceId]])
    }
  })

  test('one that is deleted while the service runs is gone for a key that was just used', async () => {
    const service = await start()
    const other = await addWorkspace(service, 'other')
    expect((await other.call('GET', '/workspace')).status).toBe(200)
    expect((await command(service.storage, 'workspaces', 'delete', other.id)).code).toBe(0)
    const replies = await Promise.all([
      other.call('GET', '/workspace'),
      other.call('GET', '/changes'),
      other.call('POST', '/projects', { name: 'P', slug: 'p' }),
      other.call('POST', '/members', { email: 'a@example.com', roleId: 'viewer' }),
    ])
    expect(replies.map(({ status }) => status)).toEqual([401, 401, 401, 401])
  })

  test.each([
    {
      what: 'a slug that is none',
      args: ['create', '--name', 'N', '--slug', 'Not One', '--owner', 'a@example.com'],
      says: 'Use lowercase letters',
    },
    { what: 'an owner without an address', args: ['create', '--name', 'N', '--slug', 'n', '--owner', 'me'], says: 'valid email address' },
    { what: 'nothing to make', args: ['create'], says: 'Usage:' },
    { what: 'nothing to delete', args: ['delete'], says: 'Usage:' },
    { what: 'too much', args: ['list', 'all'], says: 'Usage:' },
  ])('the command line refuses $what', async ({ args, says }) => {
    const { storage } = await start()
    const ran = await command(storage, 'workspaces', ...args)
    expect([ran.code, ran.lines]).toEqual([1, []])
    expect(ran.errors.join('\n')).toContain(says)
  })
})
