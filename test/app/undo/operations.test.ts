import { describe, expect, test } from 'vitest'
import { createServiceStage } from '../../support/service-stage.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { loseThenRefuseReads, sends, type Network } from '../../support/build-client.ts'
import { resolveAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

const stage = createServiceStage()
const undo = ({ handlers }: Desk) => handlers['undo.undo']({ workspaceId })
const redo = ({ handlers }: Desk) => handlers['undo.redo']({ workspaceId })
const kinds = ({ client }: Desk) => client.queueRows().map(({ kind }) => kind)
const discardFirst = ({ client, handlers }: Desk) =>
  valueOf(handlers['queue.discard']({ workspaceId, changeId: client.queueRows()[0]?.changeId ?? '' }))

describe('members', () => {
  const ada = 'ada@example.com'
  const roleOf = ({ client }: Desk) => client.members().rows.find(({ email }) => email === ada)?.roleId
  const setRole = (desk: Desk, id: string, roleId: string) =>
    valueOf(desk.handlers['members.set-role']({ workspaceId, id, seen: roleOf(desk) ?? '', roleId }))
  const remove = (desk: Desk, id: string) => valueOf(desk.handlers['members.remove']({ workspaceId, id }))

  /** Ada is invited as a viewer, which was sent or not. */
  async function withAda({ isSent = true } = {}): Promise<{ desk: Desk; id: string }> {
    const desk = deskOf(stage.open())
    await desk.client.sync()
    if (!isSent) {
      const { id } = await valueOf(desk.handlers['members.invite']({ workspaceId, email: ada, roleId: 'viewer' }))
      return { desk, id }
    }
    desk.client.invite(ada, 'viewer')
    await desk.client.sync()
    return { desk, id: desk.client.members().rows.find(({ email }) => email === ada)?.id ?? '' }
  }

  test.each([{ isSent: true }, { isSent: false }])(
    'undo goes through the roles of a member one by one, and redo too (invitation sent: $isSent)',
    async (how) => {
      const { desk, id } = await withAda(how)
      await setRole(desk, id, 'editor')
      await setRole(desk, id, 'admin')
      for (const role of ['editor', 'viewer']) {
        await valueOf(undo(desk))
        expect(roleOf(desk)).toBe(role)
      }
      expect(kinds(desk)).toEqual(how.isSent ? [] : ['invite'])
      for (const role of ['editor', 'admin']) {
        await valueOf(redo(desk))
        expect(roleOf(desk)).toBe(role)
      }
      await valueOf(undo(desk))
      await desk.client.sync()
      expect(desk.client.queueRows()).toEqual([])
      expect(roleOf(desk)).toBe('editor')
    },
  )

  test('undo of a role typed over one that may have been given leaves that one in the queue', async () => {
    const { desk, id } = await withAda()
    await setRole(desk, id, 'admin')
    desk.client.network = loseThenRefuseReads()
    await desk.client.sync()
    await desk.client.sync()
    await setRole(desk, id, 'editor')
    expect(kinds(desk)).toEqual(['set-role', 'set-role'])
    await valueOf(undo(desk))
    expect([kinds(desk), roleOf(desk)]).toEqual([['set-role'], 'admin'])
  })

  test('undo of a role picked while the invitation was refused leaves the invitation', async () => {
    const { desk, id } = await withAda({ isSent: false })
    let isPicked = false
    desk.client.network = async (forward, request) => {
      if (!sends('create member', request)) return forward()
      if (!isPicked) await setRole(desk, id, 'editor')
      isPicked = true
      return Response.json({ success: false, code: 403, message: 'No.', data: {} }, { status: 403 })
    }
    await desk.client.sync()
    expect([kinds(desk), roleOf(desk)]).toEqual([['invite'], 'editor'])
    await valueOf(undo(desk))
    expect([kinds(desk), roleOf(desk)]).toEqual([['invite'], 'editor'])
  })

  test('undo of a role that was put back restores the role', async () => {
    const { desk, id } = await withAda()
    await setRole(desk, id, 'editor')
    await setRole(desk, id, 'viewer')
    expect(kinds(desk)).toEqual([])
    await valueOf(undo(desk))
    expect(roleOf(desk)).toBe('editor')
  })

  test('undo of a removal restores the unsent role that it dropped', async () => {
    const { desk, id } = await withAda()
    await setRole(desk, id, 'editor')
    await remove(desk, id)
    await valueOf(undo(desk))
    expect(kinds(desk)).toEqual(['set-role'])
    expect(roleOf(desk)).toBe('editor')
    await valueOf(redo(desk))
    expect(kinds(desk)).toEqual(['remove'])
  })

  test('undo of the removal of an unsent invitation restores the invitation', async () => {
    const { desk, id } = await withAda({ isSent: false })
    await remove(desk, id)
    expect(kinds(desk)).toEqual([])
    expect(await valueOf(undo(desk))).toEqual({ label: `Remove ${ada}` })
    expect(kinds(desk)).toEqual(['invite'])
    expect(await valueOf(undo(desk))).toEqual({ label: `Invite ${ada}` })
    expect(kinds(desk)).toEqual([])
  })

  test('a discarded removal or role has nothing to undo', async () => {
    const { desk, id } = await withAda()
    await setRole(desk, id, 'editor')
    await discardFirst(desk)
    await remove(desk, id)
    await discardFirst(desk)
    expect(await valueOf(undo(desk))).toEqual({ label: `Remove ${ada}`, isIdle: true })
    expect(await valueOf(undo(desk))).toEqual({ label: `Change the role of ${ada}`, isIdle: true })
    expect(kinds(desk)).toEqual([])
  })

  test.each([
    ['role', (desk: Desk, id: string) => setRole(desk, id, 'editor'), 'The role has been changed.'],
    ['removal', remove, 'The member has been removed.'],
  ])('a sent %s can’t be undone', async (_, act, message) => {
    const { desk, id } = await withAda()
    await act(desk, id)
    await desk.client.sync()
    expect(await undo(desk)).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) as string } })
  })
})

describe('versions', () => {
  /** shop/prod, where A was 1 in version v1 and is 2 now. */
  async function shop(): Promise<{ desk: Desk; prod: string }> {
    const client = stage.open()
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
    client.setVariable(prod, 'A', '1')
    await client.sync()
    client.snapshot(prod, { label: 'v1' })
    await client.sync()
    client.setVariable(prod, 'A', '2')
    await client.sync()
    return { desk: deskOf(client), prod }
  }

  const save = ({ handlers }: Desk, environmentId: string): Promise<unknown> =>
    valueOf(handlers['versions.create']({ workspaceId, environmentId, label: 'v2' }))
  async function rollBack({ client, handlers }: Desk, prod: string): Promise<unknown> {
    const versionId = client.version(prod, 'v1').id
    const { fingerprint } = await valueOf(handlers['versions.preview-rollback']({ workspaceId, versionId }))
    return valueOf(handlers['versions.rollback']({ workspaceId, versionId, fingerprint }))
  }
  const both = [
    { what: 'Save version v2', act: save, sent: 'has been saved' },
    { what: 'Roll back to v1', act: rollBack, sent: 'The rollback is done' },
  ]

  const refuse: Network = (forward, { path, body = '' }) => {
    if (!path.endsWith('/changes') || body === '') return forward()
    const { changes } = JSON.parse(body) as { changes: { id: string }[] }
    const items = changes.map(({ id }) => ({ id, status: 'failed', code: 403, message: 'Not today.' }))
    return Promise.resolve(Response.json({ success: true, code: 200, message: 'OK', data: { items } }))
  }

  test.each(both)('$what: can be undone after the service has refused it', async ({ what, act }) => {
    const { desk, prod } = await shop()
    await act(desk, prod)
    desk.client.network = refuse
    await desk.client.sync()
    expect(desk.client.queueRows()).toMatchObject([{ state: 'failed' }])
    expect(await valueOf(undo(desk))).toEqual({ label: what, place: { id: prod, path: 'Shop / Prod' } })
    expect(desk.client.queueRows()).toEqual([])
  })

  test.each(both)('$what: has nothing to undo after it was discarded', async ({ what, act }) => {
    const { desk, prod } = await shop()
    await act(desk, prod)
    await discardFirst(desk)
    expect(await valueOf(undo(desk))).toEqual({ label: what, isIdle: true, place: { id: prod, path: 'Shop / Prod' } })
  })

  test.each(both)('$what: can’t be undone after it was sent', async ({ act, sent }) => {
    const { desk, prod } = await shop()
    await act(desk, prod)
    await desk.client.sync()
    expect(desk.client.queueRows()).toEqual([])
    expect(await undo(desk)).toMatchObject({ ok: false, error: { message: expect.stringContaining(sent) as string } })
  })

  test('a rollback that was approved again can be undone', async () => {
    const { desk, prod } = await shop()
    await rollBack(desk, prod)
    const other = stage.open()
    await other.sync()
    other.setVariable(other.find('environment', other.find('project', null, 'shop').id, 'prod').id, 'A', 'theirs')
    await other.sync()
    await desk.client.sync()
    const [stale] = desk.client.queueRows()
    expect(stale).toMatchObject({ kind: 'rollback', state: 'conflict' })
    await valueOf(resolveAsShown(desk.handlers, { changeId: stale?.changeId ?? '', choice: { take: 'mine' } }))
    expect(desk.client.queueRows()).toMatchObject([{ state: 'queued' }])
    expect(await valueOf(undo(desk))).toEqual({ label: 'Roll back to v1', place: { id: prod, path: 'Shop / Prod' } })
    expect(desk.client.queueRows()).toEqual([])
  })
})
