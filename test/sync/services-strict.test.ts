import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatWorkspaceKey, generateWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import { decryptValue } from '../../electron/cipher/value-cipher.ts'
import type { QueueRow, SyncStatus } from '../../electron/bridge/rows.ts'
import { createStage, valueOf, type TestApp } from '../app/workspaces/start-app.ts'
import { asShown, rowsAsShown } from '../support/as-shown.ts'
import { startStrictService, type StrictService } from '../support/strict-service.ts'
import { strictOptions, strictRows } from '../support/strict-rows.ts'

const key = generateWorkspaceKey()
const passphrase = 'a passphrase that nobody guesses'

/** A stored value in plain text. */
const plain = (value: string | undefined): string | undefined => (value?.startsWith('v1:') === true ? decryptValue(key, value) : value)

describe.each(strictRows)('a service that answers unknown routes with $unknownRoute, $errorBody errors, $stored values', (row) => {
  const stage = createStage()
  let service: StrictService
  let app: TestApp
  let workspaceId: string

  beforeAll(async () => {
    service = await startStrictService(strictOptions(row, key))
    service.addProject('Shop_1')
    service.addEnvironment('Shop_1', 'Stage_2')
    service.setVariable('Shop_1', 'Stage_2', 'GREETING', 'hello')
    service.setVariable('Shop_1', 'Stage_2', 'MOOD', 'fine')
    service.setVariable('Shop_1', 'Stage_2', 'OLD', 'old')
    app = await stage.start()
    valueOf(await app.command('keys.choose', { store: 'vault', passphrase }))
  })
  afterAll(async () => {
    await stage.clear()
    await service.close()
  })

  const sync = async (): Promise<SyncStatus> => {
    valueOf(await app.command('sync.now', { workspaceId }))
    return app.until('sync.status', { workspaceId }, ({ state }) => state !== 'syncing')
  }
  const queue = async (): Promise<QueueRow[]> => valueOf(await app.query('queue.list', { workspaceId }))
  const track = async (environment: string, names: string): Promise<void> => {
    valueOf(await app.command('tracked.add', { workspaceId, project: 'Shop_1', environment, names }))
    await sync()
  }
  const environmentId = async (slug = 'Stage_2'): Promise<string> => {
    const rows = valueOf(await app.query('environments.list', { workspaceId }))
    const found = rows.find((each) => each.slug === slug)
    if (found === undefined) throw new Error(`No environment ${slug} among ${rows.map((each) => each.slug).join()}`)
    return found.id
  }
  const variables = async (slug?: string) => {
    const args = { workspaceId, environmentId: await environmentId(slug), filter: '', offset: 0, limit: 500 }
    return valueOf(await app.query('variables.page', args)).rows
  }
  const idOf = async (name: string, slug?: string): Promise<string> => {
    const found = (await variables(slug)).find((each) => each.name === name)
    if (found === undefined) throw new Error(`No variable ${name}`)
    return found.id
  }
  /** The variables of an environment as the user sees them. */
  const values = async (slug?: string): Promise<Record<string, string | null>> => {
    const rows = await variables(slug)
    const shown = valueOf(await app.query('variables.values', { workspaceId, ids: rows.map(({ id }) => id), reveal: true }))
    const textOf = (id: string) => shown.flatMap((each) => (each.id === id && 'value' in each ? [each.value] : []))[0] ?? null
    return Object.fromEntries(rows.map(({ id, name }) => [name, textOf(id)]))
  }
  const edit = async (name: string, value: string): Promise<void> =>
    void valueOf(await app.command('variables.update', { workspaceId, id: await idOf(name), seen: asShown, value }))
  const stored = (name: string): string | undefined => plain(service.variable('Shop_1', 'Stage_2', name)?.value)

  test('is connected to, and a wrong key is told apart', async () => {
    const args = { baseUrl: service.url, apiKey: service.apiKey, allowInsecure: false }
    expect(await app.command('workspaces.probe', { ...args, apiKey: 'wrong' })).toMatchObject({
      ok: false,
      error: { kind: 'unauthorized' },
    })
    expect(valueOf(await app.command('workspaces.probe', args))).toEqual({ name: 'Strict', hasValues: null, isUnused: false, known: null })
    const keys = { workspaceKey: formatWorkspaceKey(key), confirmNoValues: true }
    ;({ workspaceId } = valueOf(await app.command('workspaces.connect', { ...args, ...keys })))
    const status = await app.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
    expect(status.message).toBeNull()
    expect(status.limits).toEqual(expect.arrayContaining([expect.stringContaining('can’t list its projects')]))
    expect(valueOf(await app.query('tracked.list', { workspaceId })).isNeeded).toBe(true)
  })

  test('shows the names that are tracked', async () => {
    await track('Stage_2', 'GREETING MOOD OLD NOT_THERE')
    expect(await values()).toEqual({ GREETING: 'hello', MOOD: 'fine', OLD: 'old' })
    service.setVariable('Shop_1', 'Stage_2', 'MOOD', 'better')
    expect((await sync()).state).toBe('synced')
    expect(await values()).toMatchObject({ MOOD: 'better' })
  })

  test('takes edits and deletes', async () => {
    await edit('GREETING', 'good evening')
    valueOf(await app.command('variables.delete', { workspaceId, rows: rowsAsShown([await idOf('OLD')]) }))
    expect((await sync()).state).toBe('synced')
    expect(await queue()).toEqual([])
    expect([stored('GREETING'), stored('OLD')]).toEqual(['good evening', undefined])
  })

  test('keeps what it cannot create, and says so', async () => {
    const fields = { name: 'NEW', value: 'made here', type: 'string' as const, isSecret: false }
    valueOf(await app.command('variables.create', { workspaceId, environmentId: await environmentId(), ...fields }))
    await sync()
    expect(await queue()).toMatchObject([{ name: 'NEW', kind: 'create', state: 'blocked' }])
    service.setVariable('Shop_1', 'Stage_2', 'NEW', 'made here')
    await sync()
    // Plain values are compared as stored, sealed ones after decryption.
    expect(await queue()).toEqual([])
    expect(await values()).toMatchObject({ NEW: 'made here' })
  })

  test('lets both sides of a conflict be kept', async () => {
    for (const [take, expected] of [
      ['mine', 'of me'],
      ['theirs', 'of them'],
    ] as const) {
      service.setVariable('Shop_1', 'Stage_2', 'MOOD', 'of them')
      await edit('MOOD', 'of me')
      expect((await sync()).state).toBe('attention')
      const [parked] = await queue()
      expect(parked).toMatchObject({ name: 'MOOD', state: 'conflict' })
      const changeId = parked?.changeId ?? ''
      const { fingerprint } = valueOf(await app.query('conflicts.show', { workspaceId, changeId, reveal: false }))
      valueOf(await app.command('conflicts.resolve', { workspaceId, changeId, fingerprint, choice: { take } }))
      expect((await sync()).state).toBe('synced')
      expect([stored('MOOD'), (await values()).MOOD]).toEqual([expected, expected])
      await edit('MOOD', 'as before')
      await sync()
    }
  })

  test('creates and renames environments by its own rules of slugs', async () => {
    const [project] = valueOf(await app.query('projects.list', { workspaceId }))
    const place = { workspaceId, projectId: project?.id ?? '' }
    const made = valueOf(await app.command('environments.create', { ...place, name: 'Test', slug: 'Test_3' }))
    expect((await sync()).state).toBe('synced')
    expect(service.environment('Shop_1', 'Test_3').name).toBe('Test')
    valueOf(await app.command('environments.update', { workspaceId, id: made.id, seen: asShown, slug: 'Test.4' }))
    expect((await sync()).state).toBe('synced')
    expect(service.environment('Shop_1', 'Test.4').name).toBe('Test')
  })

  test('opens a version by its id and rolls back to it', async () => {
    const { id: remoteId } = service.takeVersion('Shop_1', 'Stage_2', 'v1')
    const before = await values()
    await edit('GREETING', 'after the version')
    await sync()
    const environment = await environmentId()
    const { id: versionId } = valueOf(await app.command('versions.mirror', { workspaceId, environmentId: environment, remoteId }))
    const preview = valueOf(await app.query('versions.preview-rollback', { workspaceId, versionId }))
    expect(preview).toMatchObject({ names: [{ name: 'GREETING', does: 'updated' }], isPartial: true })
    valueOf(await app.command('versions.rollback', { workspaceId, versionId, fingerprint: preview.fingerprint }))
    expect((await sync()).state).toBe('synced')
    expect(stored('GREETING')).toBe(before['GREETING'])
    expect(await values()).toEqual(before)
  })

  test('invites and removes members, and tells an id that it does not know', async () => {
    const other = service.addMember('other@example.com', 'role/1')
    const invited = valueOf(await app.command('members.invite', { workspaceId, email: 'new@example.com', roleId: 'role/1' }))
    expect((await sync()).state).toBe('synced')
    expect(service.state.members.map(({ email }) => email)).toEqual(['other@example.com', 'new@example.com'])
    valueOf(await app.command('members.remove', { workspaceId, id: invited.id }))
    valueOf(await app.command('members.remove', { workspaceId, id: other.id }))
    expect((await sync()).state).toBe('synced')
    expect(service.state.members).toEqual([])

    valueOf(await app.command('members.remove', { workspaceId, id: 'mem/of-nobody' }))
    expect((await sync()).state).toBe('attention')
    const [parked] = await queue()
    expect(parked).toMatchObject({ kind: 'remove', state: 'failed', reason: expect.stringContaining('mem/of-nobody') })
    valueOf(await app.command('queue.discard', { workspaceId, changeId: parked?.changeId ?? '' }))
    expect((await sync()).state).toBe('synced')
    expect(valueOf(await app.query('members.list', { workspaceId })).rows).toEqual([])
  })

  test.each([
    [
      'an edit',
      /^PATCH \/variables\//,
      (): Promise<void> => edit('GREETING', 'lost, and there'),
      (): string | undefined => stored('GREETING'),
      'lost, and there',
    ],
    [
      'a delete',
      /^DELETE .*\/variables\/MOOD$/,
      async (): Promise<void> =>
        void valueOf(await app.command('variables.delete', { workspaceId, rows: rowsAsShown([await idOf('MOOD')]) })),
      (): string | undefined => stored('MOOD'),
      undefined,
    ],
    [
      'a new environment',
      /^POST .*\/environments$/,
      async (): Promise<void> => {
        const [project] = valueOf(await app.query('projects.list', { workspaceId }))
        const place = { workspaceId, projectId: project?.id ?? '', name: 'Lost', slug: 'Lost_5' }
        valueOf(await app.command('environments.create', place))
      },
      (): number => service.state.environments.filter(({ slug }) => slug === 'Lost_5').length,
      1,
    ],
  ] as const)('settles %s whose answer was lost', async (_what, of, act, there, expected) => {
    service.loseAnswer(of)
    await act()
    await sync()
    await app.until('queue.list', { workspaceId }, (rows) => rows.length === 0)
    expect(there()).toEqual(expected)
  })

  test('says of a removal whose answer was lost that nobody has that id', async () => {
    const { id } = service.addMember('leaves@example.com', 'role/1')
    service.loseAnswer(/^DELETE \/members\//)
    valueOf(await app.command('members.remove', { workspaceId, id }))
    await sync()
    const [parked] = await app.until('queue.list', { workspaceId }, (rows) => rows[0]?.state === 'failed')
    expect(parked?.reason).toContain(id)
    expect(service.state.members).toEqual([])
    valueOf(await app.command('queue.discard', { workspaceId, changeId: parked?.changeId ?? '' }))
    expect((await sync()).state).toBe('synced')
  })

  test('waits for the decision about an invitation whose answer was lost, since there is no list to look in', async () => {
    service.loseAnswer(/^POST \/members$/)
    valueOf(await app.command('members.invite', { workspaceId, email: 'lost@example.com', roleId: 'role/1' }))
    await sync()
    await app.until('sync.status', { workspaceId }, ({ state }) => state === 'attention')
    const [parked] = await queue()
    expect(parked).toMatchObject({ kind: 'invite', state: 'failed', reason: expect.stringContaining('unknown whether') })
    valueOf(await app.command('queue.discard', { workspaceId, changeId: parked?.changeId ?? '' }))
    expect(service.state.members.map(({ email }) => email)).toEqual(['lost@example.com'])
  })

  test('joins an environment that was renamed elsewhere to its row again, with what was edited in it', async () => {
    const id = await environmentId()
    await edit('GREETING', 'edited before the rename was seen')
    service.environment('Shop_1', 'Stage_2').slug = 'Stage_9'
    expect((await sync()).state).toBe('attention')
    await track('Stage_9', '')
    await sync()
    expect(await environmentId('Stage_9')).toBe(id)
    expect(await values('Stage_9')).toMatchObject({ GREETING: 'edited before the rename was seen' })
    expect(await queue()).toEqual([])
    expect(plain(service.variable('Shop_1', 'Stage_9', 'GREETING')?.value)).toBe('edited before the rename was seen')
    // And back, with the new name tracked before the old one is found missing.
    const renamed = service.environment('Shop_1', 'Stage_9')
    renamed.slug = 'Stage_2'
    await track('Stage_2', 'GREETING')
    expect(await environmentId()).toBe(id)
  })

  test('restores a deleted project from what this computer had, and says what has to wait', async () => {
    service.addProject('Gone_1')
    service.addEnvironment('Gone_1', 'Live_1')
    service.setVariable('Gone_1', 'Live_1', 'KEPT', 'still known')
    const names = { workspaceId, project: 'Gone_1', environment: 'Live_1', names: 'KEPT' }
    valueOf(await app.command('tracked.add', names))
    await sync()
    const project = valueOf(await app.query('projects.list', { workspaceId })).find(({ slug }) => slug === 'Gone_1')
    valueOf(await app.command('projects.delete', { workspaceId, id: project?.id ?? '', seen: project?.rev ?? 0 }))
    expect((await sync()).state).toBe('synced')
    expect(service.state.projects.map(({ slug }) => slug)).not.toContain('Gone_1')

    const [row, ...more] = valueOf(await app.query('deleted.list', { workspaceId }))
    expect(more).toEqual([])
    expect(row).toMatchObject({ kind: 'project', slug: 'Gone_1', by: 'you', environments: 1, variables: 1, from: 'mirror' })
    expect(row?.lacks).toMatch(/create projects or variables/)
    valueOf(await app.command('deleted.restore', { workspaceId, id: row?.id ?? '', from: 'mirror' }))
    expect(await values('Live_1')).toEqual({ KEPT: 'still known' })
    await sync()
    expect((await queue()).map(({ subject, state }) => `${subject} ${state}`)).toContain('project blocked')
    expect(valueOf(await app.query('deleted.list', { workspaceId }))).toEqual([])

    // When another client creates the same project, the two become one.
    service.addProject('Gone_1')
    service.addEnvironment('Gone_1', 'Live_1')
    service.setVariable('Gone_1', 'Live_1', 'KEPT', 'still known')
    valueOf(await app.command('tracked.add', names))
    await sync()
    expect(await queue()).toEqual([])
    expect(await values('Live_1')).toEqual({ KEPT: 'still known' })
  })

  test('goes on after a restart, and shows what it knew before the service can be asked', async () => {
    const before = await values()
    const limits = valueOf(await app.query('sync.status', { workspaceId })).limits
    await app.app.close()
    service.delay(300)
    app = await stage.start({ dataDir: app.dataDir })
    valueOf(await app.command('keys.unlock', { passphrase }))
    expect(await values()).toEqual(before)
    expect(valueOf(await app.query('sync.status', { workspaceId })).limits).toEqual(limits)
    service.delay(0)
    await edit('GREETING', 'after the restart')
    expect((await sync()).state).toBe('synced')
    expect(stored('GREETING')).toBe('after the restart')
  })
})
