import { describe, expect, test } from 'vitest'
import { loseAnswer, loseThenRefuseReads, sends, type TestClient, unreachable, type Network } from '../support/build-client.ts'
import { deskOf, workspaceId } from '../support/desk.ts'
import { only14, withoutFeed } from '../support/reduced-service.ts'
import { createServiceStage } from '../support/service-stage.ts'

const stage = createServiceStage()

async function open(network: Network = connected): Promise<TestClient> {
  const client = stage.open()
  client.network = network
  await client.sync()
  return client
}

const connected: Network = (forward) => forward()
/** The connection breaks before the request arrives. */
const neverArrived: Network = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }))
const ada = 'ada@example.com'
const others = (client: TestClient) =>
  client
    .members()
    .rows.filter((member) => member.roleId !== 'owner')
    .map(({ email, roleId, status, sync }) => ({ email, roleId, status, sync }))
const find = (client: TestClient, email: string) => {
  const member = client.members().rows.find((each) => each.email === email)
  if (member === undefined) throw new Error(`no member ${email}`)
  return member
}

/** Applies `fault` to the first request that sends such a change, and passes everything else. */
const once = (change: string, fault: Network): Network => {
  let done = false
  return (forward, request) => {
    if (done || !sends(change, request)) return forward()
    done = true
    return fault(forward, request)
  }
}

describe('members', () => {
  test('of whom a list was cut short are removed all the same when that was asked for', async () => {
    const client = await open(withoutFeed)
    const other = await open()
    other.invite(ada, 'viewer')
    await other.sync()
    await client.sync()
    client.network = (forward, request) => {
      if (request.method === 'DELETE') return Promise.resolve(Response.json({}, { status: 500 }))
      return request.path.endsWith('/members')
        ? Promise.resolve(Response.json({ success: true, code: 200, message: 'OK', data: [] }))
        : withoutFeed(forward, request)
    }
    client.removeMember(find(client, ada).id)
    await client.sync()
    client.network = withoutFeed
    client.skew = 3_600_000
    await client.sync()
    await client.sync()
    expect(client.operations()).toEqual([])
    await other.sync()
    expect(others(other)).toEqual([])
  })

  test('and roles are mirrored, and can be read offline', async () => {
    const client = await open()
    client.network = unreachable
    client.restart()
    expect(client.members()).toMatchObject({ rows: [{ roleId: 'owner', status: 'active', sync: 'synced' }], limit: null })
    expect(Date.parse(client.members().rows[0]?.since ?? '')).not.toBeNaN()
    expect(client.roles().rows.map(({ id, name }) => `${id} ${name}`)).toEqual([
      'owner Owner',
      'admin Admin',
      'editor Editor',
      'viewer Viewer',
    ])
  })

  test('an invitation made offline is in the list at once, arrives, and keeps its place in the list', async () => {
    const client = await open()
    client.network = unreachable
    const made = client.invite(ada, 'editor')
    expect(others(client)).toEqual([{ email: ada, roleId: 'editor', status: 'unsent', sync: 'queued' }])
    client.network = connected
    await client.sync()
    expect(others(client)).toEqual([{ email: ada, roleId: 'editor', status: 'invited', sync: 'synced' }])
    expect(find(client, ada).id).toBe(made.ok ? made.value.id : '')
    const other = await open()
    expect(others(other)).toEqual(others(client))
  })

  test('a role changed and a member removed offline arrive', async () => {
    const client = await open()
    client.invite(ada, 'editor')
    client.invite('bob@example.com', 'editor')
    await client.sync()
    client.network = unreachable
    client.setRole(find(client, ada).id, 'viewer')
    client.removeMember(find(client, 'bob@example.com').id)
    expect(find(client, ada)).toMatchObject({ roleId: 'viewer', sync: 'queued' })
    expect(find(client, 'bob@example.com')).toMatchObject({ isLeaving: true, sync: 'queued' })
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(others(client)).toEqual([{ email: ada, roleId: 'viewer', status: 'invited', sync: 'synced' }])
    const other = await open()
    expect(others(other)).toEqual(others(client))
  })

  test('a role given from a list that others have overtaken is asked about', async () => {
    const [client, other] = [await open(), await open()]
    client.invite(ada, 'editor')
    await client.sync()
    await other.sync()
    const { id, roleId: seen } = find(client, ada)
    other.setRole(find(other, ada).id, 'admin')
    await other.sync()
    await client.sync()
    const { handlers } = deskOf(client)
    expect(await handlers['members.set-role']({ workspaceId, id, seen, roleId: 'viewer' })).toMatchObject({ ok: true })
    await client.sync()
    expect(client.operations()).toMatchObject([{ state: 'conflict', detail: { base: 'editor', remote: 'admin', roleId: 'viewer' } }])
    await other.sync()
    expect(find(other, ada).roleId).toBe('admin')
  })

  test('a role given from such a list is asked about, also while an invitation is in conflict', async () => {
    const [client, other] = [await open(), await open()]
    client.network = unreachable
    client.invite(ada, 'admin')
    other.invite(ada, 'viewer')
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.operations()).toMatchObject([{ kind: 'invite', state: 'conflict', detail: { remote: 'viewer' } }])
    const { id, roleId: seen } = find(client, ada)
    other.setRole(find(other, ada).id, 'admin')
    await other.sync()
    await client.sync()
    const { handlers } = deskOf(client)
    expect(await handlers['members.set-role']({ workspaceId, id, seen, roleId: 'editor' })).toMatchObject({ ok: true })
    await client.sync()
    expect(client.operations()).toMatchObject([
      { kind: 'set-role', state: 'conflict', detail: { base: 'viewer', remote: 'admin', roleId: 'editor' } },
    ])
    await other.sync()
    expect(find(other, ada).roleId).toBe('admin')
  })

  test.each([
    { does: 'an invitation and its withdrawal', leaves: [], act: (client: TestClient, id: string) => client.removeMember(id) },
    {
      does: 'an invitation and another role',
      leaves: [{ kind: 'invite', detail: { email: ada, roleId: 'viewer' } }],
      act: (client: TestClient, id: string) => client.setRole(id, 'viewer'),
    },
  ])('$does, both unsent, leave $leaves.length changes', async ({ leaves, act }) => {
    const client = await open()
    client.network = unreachable
    const made = client.invite(ada, 'editor')
    expect(act(client, made.ok ? made.value.id : '')).toEqual({ ok: true, value: null })
    expect(client.operations()).toMatchObject(leaves)
    expect(client.operations()).toHaveLength(leaves.length)
  })

  test('an e-mail that is none, or is invited already, is refused in words', async () => {
    const client = await open()
    client.invite(ada, 'editor')
    const message = 'ADA@example.com is already invited. Change their role in the list instead.'
    expect(client.invite('ADA@example.com ', 'viewer')).toMatchObject({ ok: false, error: { kind: 'name-taken', message } })
    expect(client.invite('nobody', 'viewer')).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'email' } })
    expect(client.invite('bob@example.com', ' ')).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'roleId' } })
    expect(client.operations()).toHaveLength(1)
  })

  test('an invitation whose answer is lost is found by its id and not sent twice', async () => {
    const client = await open()
    let sent = 0
    const lost = once('create member', loseAnswer)
    client.network = (forward, request) => {
      if (sends('create member', request)) sent += 1
      return lost(forward, request)
    }
    const made = client.invite(ada, 'editor')
    await client.sync()
    await client.sync()
    expect(sent).toBe(1)
    expect(client.queueRows()).toEqual([])
    expect(find(client, ada)).toMatchObject({ id: made.ok ? made.value.id : '', status: 'invited' })
  })

  test('an invitation with no list to look in parks and says so', async () => {
    const client = await open(only14)
    let isLost = false
    client.network = (forward, request) => {
      if (request.method !== 'POST' || isLost) return only14(forward, request)
      isLost = true
      return loseAnswer(forward, request)
    }
    client.invite(ada, 'editor')
    await client.sync()
    const [row] = client.queueRows()
    expect(row).toMatchObject({ kind: 'invite', subject: 'member', name: ada, state: 'failed' })
    expect(row?.reason).toContain('can’t list members')
    // Sent again, it is the service that says that they are invited already.
    client.retry(row?.changeId ?? '')
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('already been invited') }])
    const other = await open()
    expect(others(other)).toHaveLength(1)
  })

  test('somebody else invited the same person: with the same role nothing is left to do, with another one the user chooses', async () => {
    const client = await open()
    const other = await open()
    client.network = unreachable
    client.invite(ada, 'editor')
    client.invite('bob@example.com', 'admin')
    other.invite(ada, 'editor')
    other.invite('bob@example.com', 'viewer')
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'invite', name: 'bob@example.com', state: 'conflict' }])
    const changeId = client.queueRows()[0]?.changeId ?? ''
    expect(client.conflict(changeId)).toMatchObject({
      kind: 'name-taken',
      subject: 'member',
      fields: [{ field: 'roleId', was: { state: 'absent' }, mine: { text: 'admin' }, theirs: { text: 'viewer' } }],
    })
    client.resolve(changeId, { take: 'mine' })
    await client.sync()
    await other.sync()
    expect(find(other, 'bob@example.com').roleId).toBe('admin')
    expect(client.queueRows()).toEqual([])
  })

  /** Ada is an editor. The client has made her an admin, offline, and the other one a viewer. */
  const meetInConflict = async () => {
    const client = await open()
    client.invite(ada, 'editor')
    await client.sync()
    const other = await open()
    client.network = unreachable
    client.setRole(find(client, ada).id, 'admin')
    other.setRole(find(other, ada).id, 'viewer')
    await other.sync()
    client.network = connected
    await client.sync()
    return { client, other }
  }

  test.each([
    { take: 'mine' as const, ends: 'admin' },
    { take: 'theirs' as const, ends: 'viewer' },
  ])('two roles for one member are a conflict; taking $take ends with $ends', async ({ take, ends }) => {
    const { client, other } = await meetInConflict()
    const changeId = client.queueRows()[0]?.changeId ?? ''
    expect(client.conflict(changeId)).toMatchObject({
      kind: 'fields',
      fields: [{ field: 'roleId', was: { text: 'editor' }, mine: { text: 'admin' }, theirs: { text: 'viewer' } }],
    })
    client.resolve(changeId, { take })
    await client.sync()
    await other.sync()
    expect(client.queueRows()).toEqual([])
    expect(find(client, ada).roleId).toBe(ends)
    expect(find(other, ada).roleId).toBe(ends)
  })

  test.each([
    { role: 'owner', take: 'mine' as const, ends: 'owner' },
    { role: 'owner', take: 'theirs' as const, ends: 'viewer' },
    { role: 'editor', take: 'mine' as const, ends: 'editor' },
    { role: 'editor', take: 'theirs' as const, ends: 'viewer' },
  ])(
    'a role picked while two are in conflict, as $role, is asked about, and taking $take ends with $ends',
    async ({ role, take, ends }) => {
      const { client, other } = await meetInConflict()
      client.setRole(find(client, ada).id, role)
      await client.sync()
      const changeId = client.queueRows()[0]?.changeId ?? ''
      expect(client.conflict(changeId)).toMatchObject({
        kind: 'fields',
        fields: [{ field: 'roleId', was: { text: 'editor' }, mine: { text: role }, theirs: { text: 'viewer' } }],
      })
      client.resolve(changeId, { take })
      expect(client.operations().map(({ kind }) => kind)).toEqual(take === 'mine' ? ['set-role'] : [])
      await client.sync()
      await other.sync()
      expect([client.queueRows(), find(client, ada).roleId, find(other, ada).roleId]).toEqual([[], ends, ends])
    },
  )

  test('a role that others gave while the change of it waited to be sent again is a question', async () => {
    const client = await open()
    client.invite(ada, 'viewer')
    await client.sync()
    const other = await open()
    other.setRole(find(other, ada).id, 'editor')
    await other.sync()
    client.network = (forward, request) =>
      sends('update member', request) ? Promise.resolve(Response.json({}, { status: 500 })) : forward()
    client.setRole(find(client, ada).id, 'admin')
    await client.sync()
    client.network = connected
    client.skew = 3_600_000
    await client.sync()
    expect(client.operations()).toMatchObject([{ state: 'conflict', conflict: { kind: 'fields' } }])
    await other.sync()
    expect(find(other, ada).roleId).toBe('editor')
  })

  test('a role changed again while the first change is on its way arrives, and nobody is asked', async () => {
    const client = await open()
    client.invite(ada, 'viewer')
    await client.sync()
    const { id } = find(client, ada)
    client.network = once('update member', (forward) => {
      client.setRole(id, 'editor')
      return forward()
    })
    client.setRole(id, 'admin')
    await client.sync()
    await client.sync()
    expect(client.operations()).toEqual([])
    const other = await open()
    expect(find(other, ada).roleId).toBe('editor')
  })

  test.each(['editor', 'viewer'])(
    'a role picked while the service refuses an earlier one arrives, and nobody is asked: %s',
    async (later) => {
      const client = await open()
      client.invite(ada, 'viewer')
      await client.sync()
      const { id } = find(client, ada)
      client.network = once('update member', () => {
        client.setRole(id, later)
        return Promise.resolve(Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 }))
      })
      client.setRole(id, 'admin')
      await client.sync()
      expect([client.operations(), find(client, ada).roleId, find(await open(), ada).roleId]).toEqual([[], later, later])
    },
  )

  test.each([
    { what: 'that got another role', meanwhile: (client: TestClient, id: string) => client.setRole(id, 'viewer'), left: [[ada, 'viewer']] },
    { what: 'that was withdrawn', meanwhile: (client: TestClient, id: string) => client.removeMember(id), left: [] },
  ])('an invitation $what while the service refuses it has nothing left to decide', async ({ meanwhile, left }) => {
    const client = await open()
    client.invite(ada, 'admin')
    client.network = once('create member', () => {
      meanwhile(client, find(client, ada).id)
      return Promise.resolve(Response.json({ success: false, code: 403, message: 'No.', data: {} }, { status: 403 }))
    })
    await client.sync()
    const members = others(await open()).map(({ email, roleId }) => [email, roleId])
    expect([client.operations(), members]).toEqual([[], left])
  })

  test('an invitation that may have been sent is not sent again with a role picked meanwhile', async () => {
    const client = await open(only14)
    client.invite(ada, 'admin')
    let sent = 0
    client.network = (forward, request) => {
      if (request.method !== 'POST' || !request.path.endsWith('/members')) return only14(forward, request)
      sent += 1
      if (sent === 1) client.setRole(find(client, ada).id, 'viewer')
      return loseAnswer(forward, request)
    }
    await client.sync()
    await client.sync()
    expect([sent, client.operations().map(({ kind, state }) => `${kind} ${state}`)]).toEqual([1, ['invite failed', 'set-role queued']])
  })

  test('a member who is removed while the service refuses their role is gone', async () => {
    const client = await open()
    client.invite(ada, 'viewer')
    await client.sync()
    const { id } = find(client, ada)
    client.network = once('update member', () => {
      client.removeMember(id)
      return Promise.resolve(Response.json({ success: false, code: 422, message: 'No.', data: {} }, { status: 422 }))
    })
    client.setRole(id, 'admin')
    await client.sync()
    expect([client.operations(), others(client), others(await open())]).toEqual([[], [], []])
  })

  test.each([
    { how: '', act: () => undefined },
    { how: ', though that was retried', act: (client: TestClient) => client.retry(client.operations()[0]?.id ?? '') },
    {
      how: ', though that was retried in vain',
      act: async (client: TestClient) => {
        client.retry(client.operations()[0]?.id ?? '')
        await client.sync()
      },
    },
    {
      how: ', though that is discarded later',
      act: () => undefined,
      later: async (client: TestClient) => {
        await client.sync()
        client.discard(client.operations()[0]?.id ?? '')
        expect(client.operations()).toMatchObject([{ detail: { roleId: 'viewer' } }])
      },
    },
  ])('a role given back after one that may have been given arrives$how', async ({ act, later }) => {
    const client = await open()
    client.invite(ada, 'viewer')
    await client.sync()
    const { id } = find(client, ada)
    client.setRole(id, 'admin')
    client.network = loseThenRefuseReads()
    await client.sync()
    await client.sync()
    expect(client.operations()).toMatchObject([{ kind: 'set-role', state: 'failed' }])
    await act(client)
    client.setRole(id, 'viewer')
    await later?.(client)
    client.network = connected
    await client.sync()
    expect([client.operations(), find(client, ada).roleId, find(await open(), ada).roleId]).toEqual([[], 'viewer', 'viewer'])
  })

  test('of two roles, the later one is sent when the user keeps the first over a colleague’s', async () => {
    const client = await open()
    client.invite(ada, 'viewer')
    await client.sync()
    const other = await open()
    client.setRole(find(client, ada).id, 'admin')
    client.network = once('update member', async (forward) => {
      client.setRole(find(client, ada).id, 'viewer')
      other.setRole(find(other, ada).id, 'editor')
      await other.sync()
      return forward()
    })
    await client.sync()
    expect(client.operations()).toMatchObject([{ state: 'conflict' }, { state: 'queued' }])
    client.resolve(client.operations()[0]?.id ?? '', { take: 'mine' })
    await client.sync()
    expect([client.operations(), find(await open(), ada).roleId]).toEqual([[], 'viewer'])
  })

  test.each<{ choice: string; act(client: TestClient): void; ends: unknown[] }>([
    { choice: 'a role', act: (client) => client.setRole(find(client, ada).id, 'admin'), ends: [{ email: ada, roleId: 'admin' }] },
    { choice: 'a removal', act: (client) => client.removeMember(find(client, ada).id), ends: [] },
  ])('$choice made while an invitation was under way is sent when the user keeps the invitation', async ({ act, ends }) => {
    const client = await open()
    const other = await open()
    let isBroken = false
    client.network = (forward, request) => {
      isBroken ||= sends('create member', request)
      return isBroken ? neverArrived(forward, request) : forward()
    }
    client.invite(ada, 'editor')
    await client.sync()
    act(client)
    other.invite(ada, 'viewer')
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.operations()).toMatchObject([{ kind: 'invite', state: 'conflict' }, { state: 'queued' }])
    client.resolve(client.operations()[0]?.id ?? '', { take: 'mine' })
    await client.sync()
    expect(client.operations()).toEqual([])
    expect(others(await open())).toMatchObject(ends)
  })

  test('a member that others removed while a refused change of it waited is gone', async () => {
    const client = await open()
    client.invite(ada, 'viewer')
    await client.sync()
    const other = await open()
    client.network = (forward, request) =>
      sends('update member', request) ? Promise.resolve(Response.json({}, { status: 422 })) : forward()
    client.setRole(find(client, ada).id, 'admin')
    await client.sync()
    other.removeMember(find(other, ada).id)
    await other.sync()
    await client.sync()
    const [operation] = client.operations()
    expect(operation).toMatchObject({ kind: 'set-role', state: 'failed' })
    client.discard(operation?.id ?? '')
    await client.sync()
    expect(others(client)).toEqual([])
  })

  test('a role for somebody who was removed meanwhile asks whether to invite them again', async () => {
    const client = await open()
    client.invite(ada, 'editor')
    await client.sync()
    const other = await open()
    client.network = unreachable
    client.setRole(find(client, ada).id, 'admin')
    other.removeMember(find(other, ada).id)
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toMatchObject([
      { kind: 'set-role', state: 'conflict', reason: expect.stringContaining('removed on the service') },
    ])
    client.resolve(client.operations()[0]?.id ?? '', { take: 'mine' })
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(find(client, ada)).toMatchObject({ roleId: 'admin', status: 'invited' })
  })

  test('a member that two remove is removed once, and nobody is asked', async () => {
    const client = await open()
    client.invite(ada, 'editor')
    await client.sync()
    const other = await open()
    client.network = unreachable
    client.removeMember(find(client, ada).id)
    other.removeMember(find(other, ada).id)
    await other.sync()
    client.network = connected
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(others(client)).toEqual([])
  })

  test.each([
    { fault: loseAnswer, what: 'whose answer is lost' },
    { fault: neverArrived, what: 'that never arrived' },
  ])('a role and a removal $what arrive', async ({ fault }) => {
    const client = await open()
    client.invite(ada, 'editor')
    client.invite('bob@example.com', 'editor')
    await client.sync()
    const role = once('update member', fault)
    const removal = once('delete member', fault)
    client.network = (forward, request) => role(() => removal(forward, request), request)
    client.setRole(find(client, ada).id, 'viewer')
    client.removeMember(find(client, 'bob@example.com').id)
    await client.sync()
    client.skew = 3_600_000
    await client.sync()
    expect(client.queueRows()).toEqual([])
    expect(others(client)).toMatchObject([{ email: ada, roleId: 'viewer' }])
  })

  test('what the service refuses waits with its words, and the others go on', async () => {
    const client = await open()
    const owner = client.members().rows[0]
    client.removeMember(owner?.id ?? '')
    client.invite(ada, 'editor')
    await client.sync()
    expect(client.queueRows()).toMatchObject([{ kind: 'remove', state: 'failed', reason: expect.stringContaining('last active owner') }])
    expect(others(client)).toHaveLength(1)
  })

  test('a service with only the 14 operations takes invitations and removals, and says what it cannot do', async () => {
    const client = await open(only14)
    expect(client.members()).toMatchObject({ rows: [], limit: expect.stringContaining('can’t list members') })
    expect(client.roles().limit).toContain('can’t list roles')
    client.invite(ada, 'editor')
    client.invite('bob@example.com', 'viewer')
    await client.sync()
    expect(others(client).map(({ email }) => email)).toEqual([ada, 'bob@example.com'])
    client.setRole(find(client, 'bob@example.com').id, 'editor')
    client.removeMember(find(client, ada).id)
    await client.sync()
    expect(client.queueRows()).toMatchObject([
      { kind: 'set-role', state: 'blocked', reason: expect.stringContaining('can’t change the role') },
    ])
    expect(others(client).map(({ email }) => email)).toEqual(['bob@example.com'])
    // By the service's own id, for a member that is known from elsewhere.
    expect(client.removeMember('an-id-of-the-server')).toEqual({ ok: true, value: null })
    await client.sync()
    expect(client.queueRows()).toMatchObject([
      { kind: 'set-role' },
      { kind: 'remove', state: 'failed', reason: expect.stringContaining('no member with the ID an-id-of-the-server') },
    ])
  })
})
