import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BaseRow } from '../../../electron/queue/entry.ts'
import type { Outcome, PushItem, SyncPort } from '../../../electron/sync/port.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import { basicServices, type BasicService } from './basic-services.ts'
import { cipher, portTo, Shelf, variable } from './shelf.ts'

const isWrite = (request: string): boolean => !request.startsWith('GET')

describe.each(basicServices)('a service %s', (_kind, start) => {
  let service: BasicService
  let port: SyncPort
  let shelf: Shelf

  const track = (path: string): void => {
    const keys = path.split('/')
    const parents = [null, 'shop', `shop/${keys[1]}`] as const
    const parent = parents[keys.length - 1] ?? null
    const kind = (['project', 'environment', 'variable'] as const)[keys.length - 1] ?? 'variable'
    shelf.tracked.push({ id: path, kind, parent: parent === null ? null : shelf.at(parent).remoteId, key: keys.at(-1) ?? '' })
  }
  const pull = async (): Promise<Record<string, string>> => {
    expect(await shelf.pull(port)).toBeNull()
    return shelf.contents()
  }
  const at = (path: string): BaseRow => shelf.at(`shop/${path}`)
  const pushOne = async (item: PushItem): Promise<Outcome> => {
    const [outcome] = await port.push([item])
    if (outcome === undefined) throw new Error('no outcome')
    if (outcome.is === 'confirmed' && outcome.row !== null) shelf.put(outcome.row)
    return outcome
  }

  beforeEach(async () => {
    service = await start()
    await service.put('dev', 'A', 'a')
    await service.put('dev', 'B', 'b')
    port = portTo(service.url, service.apiKey)
    shelf = new Shelf()
    await port.identify(service.workspaceId)
    if (!service.lists) {
      track('shop')
      await pull()
      for (const slug of ['dev', 'prod']) track(`shop/${slug}`)
      await pull()
      for (const name of ['A', 'B', 'NONE']) track(`shop/dev/${name}`)
    }
    await pull()
    service.requests()
  })
  afterEach(() => service.close())

  describe('is pulled', () => {
    test('with everything in it, and again as it is then', async () => {
      expect(port.hasFeed).toBe(false)
      expect(shelf.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/dev/A': 'a', 'shop/dev/B': 'b', 'shop/prod': '' })
      if (!service.lists) expect(shelf.answered).toMatchObject({ A: 'there', NONE: 'missing', shop: 'there' })
      const { remoteId } = at('dev/A')
      await service.put('dev', 'A', 'a2')
      await service.remove('dev', 'B')
      expect(await pull()).toEqual({ shop: '', 'shop/dev': '', 'shop/dev/A': 'a2', 'shop/prod': '' })
      expect(at('dev/A').remoteId).toBe(remoteId)
    })

    test('and what was renamed is the same row, where a list or a tracked name shows it', async () => {
      const before = { variable: at('dev/A').remoteId, environment: at('dev').remoteId }
      if (!service.lists) {
        track('shop/dev/A9')
        track('shop/dev9')
      }
      await service.renameVariable('dev', 'A', 'A9')
      await pull()
      expect(at('dev/A9').remoteId).toBe(before.variable)
      await service.renameEnvironment('dev', 'dev9')
      await pull()
      expect([at('dev9').remoteId, at('dev9/A9').remoteId]).toEqual([before.environment, before.variable])
    })

    test('and nothing is deleted while its environment cannot be found', async () => {
      await service.renameEnvironment('dev', 'dev9')
      const below = shelf.rows('variable', at('dev').remoteId).map(({ remoteId }) => remoteId)
      const deleted: string[] = []
      const parent = shelf.parentOf(at('dev'))
      for await (const page of port.pull(null, shelf, parent)) {
        if (page.ok) deleted.push(...page.value.deltas.flatMap((delta) => (delta.is === 'deleted' ? [delta.remoteId] : [])))
      }
      expect(deleted.filter((id) => below.includes(id))).toEqual([])
    })

    test('one environment by itself, with few requests', async () => {
      await service.put('dev', 'A', 'a2')
      expect(await shelf.pull(port, shelf.parentOf(at('dev')))).toBeNull()
      expect(shelf.contents()['shop/dev/A']).toBe('a2')
      expect(service.requests().length).toBeLessThanOrEqual(6)
    })

    test('until it fails, and says so', async () => {
      service.answer(/workspace|projects/, 503)
      expect(await shelf.pull(port)).toMatchObject({ kind: 'busy' })
      expect(shelf.contents()).toMatchObject({ 'shop/dev/A': 'a' })
    })

    test('past a record that it fails to read', async () => {
      service.answer(service.lists ? /variables$/ : /variables\/A/, 500)
      await service.put('dev', 'B', 'b2')
      expect(await shelf.pull(port)).toMatchObject({ kind: 'failed' })
      expect(shelf.contents()).toMatchObject({ 'shop/dev/A': 'a', 'shop/dev/B': service.lists ? 'b' : 'b2' })
    })
  })

  describe('takes', () => {
    test('a value, a name and an environment, each read before it is written', async () => {
      expect(await pushOne(shelf.update(at('dev/A'), { value: cipher.seal('mine'), isSecret: true }))).toMatchObject({
        is: 'confirmed',
        row: { remoteId: at('dev/A').remoteId, fields: { name: 'A', isSecret: true } },
      })
      expect(service.requests()).toEqual([
        expect.stringMatching(/^GET .*\/variables\/A$/),
        expect.stringMatching(/^PATCH \/variables\/[^/]+$/),
      ])
      expect(await pushOne(shelf.update(at('dev/B'), { name: 'B9' }))).toMatchObject({ is: 'confirmed', row: { fields: { name: 'B9' } } })
      expect(await service.stored('dev')).toEqual({ A: 'mine', B9: 'b' })
      expect(await pushOne(shelf.update(at('dev'), { name: 'Dev', slug: 'dev2' }))).toMatchObject({
        is: 'confirmed',
        row: { fields: { name: 'Dev', slug: 'dev2' }, parentRemoteId: shelf.at('shop').remoteId },
      })
      expect(await pushOne(shelf.create('environment', shelf.at('shop'), { name: 'Test', slug: 'test' }))).toMatchObject({
        is: 'confirmed',
        row: { fields: { slug: 'test' } },
      })
      expect(Object.keys(await service.stored('test'))).toEqual([])
    })

    test('one deletion, and a whole project', async () => {
      expect(await pushOne(shelf.remove(at('dev/A')))).toMatchObject({ is: 'confirmed', row: null })
      expect(service.requests().filter(isWrite)).toEqual(['DELETE /projects/shop/environments/dev/variables/A'])
      expect(await pushOne(shelf.remove(shelf.at('shop')))).toMatchObject({ is: 'confirmed', row: null })
      expect(await pull()).toEqual({})
    })

    test('200 deletions in one request, and none that others changed', async () => {
      const names = Array.from({ length: 200 }, (_, index) => `N${index}`)
      for (const name of names) {
        await service.put('prod', name, 'n')
        if (!service.lists) track(`shop/prod/${name}`)
      }
      await pull()
      service.requests()
      await service.put('prod', 'N7', 'theirs')
      await service.remove('prod', 'N8')
      service.requests()
      const outcomes = await port.push(names.map((name) => shelf.remove(at(`prod/${name}`))))
      expect(outcomes.map(({ is }) => is)).toEqual(names.map((name) => (name === 'N7' ? 'stale' : 'confirmed')))
      const requests = service.requests()
      expect(requests.filter(isWrite)).toEqual(['DELETE /projects/shop/environments/prod/variables'])
      expect(requests.length).toBeLessThanOrEqual(service.lists ? 6 : 203)
      expect(await service.stored('prod')).toEqual({ N7: 'theirs' })
    })

    test('deletions in smaller requests where a proxy takes no large ones', async () => {
      const most = 200
      const proxy = await startFaultProxy(service.url, ({ body }) => (body.length > most ? { replace: { status: 413 } } : 'none'))
      const through = portTo(proxy.url, service.apiKey)
      await through.identify(service.workspaceId)
      const names = [...Array.from({ length: 20 }, (_, index) => `N${index}-${'n'.repeat(20)}`), 'L'.repeat(220)]
      for (const name of names) {
        await service.put('prod', name, 'n')
        if (!service.lists) track(`shop/prod/${name}`)
      }
      await pull()
      const outcomes = await through.push(names.map((name) => shelf.remove(at(`prod/${name}`))))
      await proxy.close()
      expect(outcomes.map(({ is }) => is)).toEqual(names.map(({ length }) => (length > most ? 'refused' : 'confirmed')))
      expect(Object.keys(await service.stored('prod'))).toEqual(names.filter(({ length }) => length > most))
    })

    test.each<[string, ((service: BasicService) => Promise<void>) | null, () => PushItem, object]>([
      [
        'an update of what others changed',
        (s) => s.put('dev', 'A', 'theirs'),
        () => shelf.update(at('dev/A'), { name: 'A1' }),
        { is: 'stale', current: { fields: { name: 'A' } } },
      ],
      [
        'a deletion of what others changed',
        (s) => s.put('dev', 'A', 'theirs'),
        () => shelf.remove(at('dev/A')),
        { is: 'stale', current: { fields: { name: 'A' } } },
      ],
      [
        'an update of what others deleted',
        (s) => s.remove('dev', 'A'),
        () => shelf.update(at('dev/A'), { name: 'A1' }),
        { is: 'stale', current: null },
      ],
      ['a deletion of what others deleted', (s) => s.remove('dev', 'A'), () => shelf.remove(at('dev/A')), { is: 'confirmed', row: null }],
      [
        'an update of what others deleted and made again',
        async (s) => {
          await s.remove('dev', 'A')
          await s.put('dev', 'A', 'another')
        },
        () => shelf.update(at('dev/A'), { value: cipher.seal('mine') }),
        { is: 'stale', current: null },
      ],
      [
        'a change in an environment that others renamed',
        (s) => s.renameEnvironment('dev', 'dev9'),
        () => shelf.remove(at('dev/A')),
        { is: 'missing', what: 'parent' },
      ],
      [
        'a change in an environment whose slug is another’s now',
        async (s) => {
          await s.renameEnvironment('dev', 'old')
          await s.renameEnvironment('prod', 'dev')
          await s.put('dev', 'A', 'a')
        },
        () => shelf.remove(at('dev/A')),
        { is: 'missing', what: 'parent' },
      ],
      ['a name that is taken', null, () => shelf.update(at('dev/A'), { name: 'B' }), { is: 'taken', holder: { fields: { name: 'B' } } }],
      [
        'a slug that is taken',
        null,
        () => shelf.create('environment', shelf.at('shop'), { name: 'x', slug: 'prod' }),
        { is: 'taken', holder: { fields: { slug: 'prod' } } },
      ],
      [
        'a slug that is taken, of a rename',
        null,
        () => shelf.update(at('dev'), { slug: 'prod' }),
        { is: 'taken', holder: { fields: { slug: 'prod' } } },
      ],
      [
        'a value that is not sealed',
        null,
        () => shelf.update(at('dev/A'), { value: { ...cipher.seal(''), sealed: 'plain' } }),
        { is: 'refused' },
      ],
      ['a name with a slash', null, () => shelf.update(at('dev/A'), { name: 'a/../b' }), { is: 'refused' }],
      [
        'a new variable',
        null,
        () => shelf.create('variable', at('dev'), variable('C', 'c')),
        { is: 'unsupported', message: expect.stringMatching(/can’t create variables/) },
      ],
      [
        'a move',
        null,
        () => shelf.move(at('dev/A'), at('prod')),
        { is: 'unsupported', message: expect.stringMatching(/can’t move variables/) },
      ],
      ['a new project', null, () => shelf.create('project', null, { name: 'x', slug: 'x' }), { is: 'unsupported' }],
      ['a deleted environment', null, () => shelf.remove(at('dev')), { is: 'unsupported' }],
    ])('no harm from %s', async (_name, before, item, expected) => {
      await before?.(service)
      const stored = before === null ? await service.stored('dev') : null
      service.requests()
      const made = item()
      const outcome = await pushOne(made)
      expect(outcome).toMatchObject(expected)
      if (stored !== null) expect(await service.stored('dev')).toEqual(stored)
      expect(port.limitOf(made.entry)).toBe(outcome.is === 'unsupported' ? outcome.message : null)
      if (outcome.is === 'unsupported') expect(service.requests()).toEqual([])
    })

    test('nothing while it is busy, and nothing after that', async () => {
      service.answer(/variables/, 503)
      const outcomes = await port.push([shelf.update(at('dev/A'), { name: 'A1' }), shelf.update(at('dev/B'), { name: 'B1' })])
      expect(outcomes).toMatchObject([
        { is: 'unsent', failure: { kind: 'busy' } },
        { is: 'unsent', failure: { kind: 'busy' } },
      ])
      expect(service.requests().length).toBeLessThanOrEqual(1)
    })
  })

  describe('that loses an answer', () => {
    test.each<[string, RegExp, () => PushItem, object]>([
      [
        'to an update',
        /^PATCH \/variables/,
        () => shelf.update(at('dev/A'), { name: 'A1' }),
        { is: 'row', row: { fields: { name: 'A1' } }, holder: null },
      ],
      [
        'to a rename of an environment',
        /^PATCH \/projects/,
        () => shelf.update(at('dev'), { slug: 'dev2' }),
        { is: 'row', row: { fields: { slug: 'dev2' } } },
      ],
      ['to a deletion', /^DELETE/, () => shelf.remove(at('dev/A')), { is: 'row', row: null, holder: null }],
      [
        'to a new environment',
        /^POST/,
        () => shelf.create('environment', shelf.at('shop'), { name: 'Test', slug: 'test' }),
        { is: 'row', row: null, holder: { fields: { slug: 'test' } } },
      ],
    ])('%s is read', async (_name, request, make, expected) => {
      const item = make()
      service.lose(request)
      expect(await port.push([item, shelf.update(at('dev/B'), { name: 'B1' })])).toMatchObject([{ is: 'unknown' }, { is: 'unsent' }])
      expect(await port.reconcile(item)).toMatchObject({ ok: true, value: expected })
    })

    test('to many deletions is read for each', async () => {
      const items = [shelf.remove(at('dev/A')), shelf.remove(at('dev/B'))]
      service.lose(/^DELETE/)
      expect(await port.push(items)).toMatchObject([{ is: 'unknown' }, { is: 'unknown' }])
      for (const item of items) expect(await port.reconcile(item)).toMatchObject({ ok: true, value: { is: 'row', row: null } })
    })

    test('before it acted is read as it was', async () => {
      const item = shelf.update(at('dev/A'), { name: 'A1' })
      expect(await port.reconcile(item)).toMatchObject({ ok: true, value: { is: 'row', row: { fields: { name: 'A' } } } })
      const made = shelf.create('environment', shelf.at('shop'), { name: 'Test', slug: 'test' })
      expect(await port.reconcile(made)).toEqual({ ok: true, value: { is: 'row', row: null, holder: null } })
    })

    test('of something whose parent moved stays unknown until a pull', async () => {
      const item = shelf.update(at('dev/A'), { name: 'A1' })
      await service.renameEnvironment('dev', 'dev9')
      expect(await port.reconcile(item)).toMatchObject({ ok: false, error: { kind: 'failed' } })
    })
  })

  describe('with operations', () => {
    const remove = (remoteId: string, status: string): PushItem => {
      const member = { remoteId, email: 'x@example.com', status, roleId: '', etag: null, createdAt: null }
      return shelf.operation({ kind: 'remove', rowKind: 'member', detail: { email: member.email } }, { member, remoteId })
    }

    test('rolls back', async () => {
      const remoteId = await service.takeVersion('dev', 'one')
      await service.remove('dev', 'B')
      const detail = { label: 'one', agreed: { counts: { added: 1, updated: 0, removed: 0 }, resealed: 0, fingerprint: '' } }
      const rollback = (id: string) => shelf.operation({ kind: 'rollback', rowKind: 'version', detail }, { remoteId: id })
      const item = rollback(remoteId)
      expect(await pushOne(item)).toMatchObject({ is: 'confirmed', counts: { added: 1, updated: 0, removed: 0 } })
      expect(await service.stored('dev')).toEqual({ A: 'a', B: 'b' })
      expect(await port.readVersion(remoteId)).toMatchObject({
        ok: true,
        value: { label: 'one', variables: [{ name: 'A' }, { name: 'B' }] },
      })
      expect(await port.readVersion('ver/none')).toEqual({ ok: true, value: null })
      expect(await pushOne(rollback('ver/none'))).toMatchObject({ is: 'missing', what: 'record' })
      expect(await port.reconcile(item)).toEqual({ ok: true, value: { is: 'undone' } })
    })

    test('invites, and knows afterwards only what a list says', async () => {
      const detail = { email: 'new@example.com', roleId: 'viewer' }
      const invite = shelf.operation({ kind: 'invite', rowKind: 'member', detail })
      service.lose(/^POST \/members/)
      expect(await pushOne(invite)).toMatchObject({ is: 'unknown' })
      expect(await port.reconcile(invite)).toMatchObject({
        ok: true,
        value: service.lists ? { is: 'done', member: { email: 'new@example.com' } } : { is: 'unknowable' },
      })
      expect(await pushOne(shelf.operation({ kind: 'invite', rowKind: 'member', detail }))).toMatchObject({
        is: 'taken',
        member: service.lists ? { email: 'new@example.com' } : null,
      })
    })

    test('removes members, and says when nobody has the ID', async () => {
      const id = await service.addMember('gone@example.com', 'viewer')
      expect(await port.reconcile(remove(id, 'active'))).toEqual({ ok: true, value: { is: 'undone' } })
      expect(await pushOne(remove(id, ''))).toMatchObject({ is: 'confirmed' })
      expect(await pushOne(remove(id, 'active'))).toMatchObject({ is: 'missing', what: 'record' })
      expect(await port.reconcile(remove(id, 'active'))).toEqual({ ok: true, value: { is: service.lists ? 'done' : 'undone' } })
    })

    test('takes neither versions nor other roles', async () => {
      const snapshot = shelf.operation(
        { kind: 'snapshot', rowKind: 'version', detail: { remoteId: 'x' } },
        { parent: shelf.parentOf(at('dev')) },
      )
      const role = shelf.operation({
        kind: 'set-role',
        rowKind: 'member',
        detail: { email: 'a@example.com', roleId: 'admin', base: 'viewer' },
      })
      for (const item of [snapshot, role])
        expect(await pushOne(item)).toMatchObject({ is: 'unsupported', message: expect.stringMatching(/^This service can’t/) })
    })
  })
})

describe('a service that gets another profile', () => {
  test('is read without its feed when it loses it', async () => {
    const [, start] = basicServices[0] ?? []
    if (start === undefined) throw new Error('no service')
    const service = await start()
    await service.put('dev', 'A', 'a')
    const port = portTo(service.url, service.apiKey)
    const shelf = new Shelf()
    expect(port.hasFeed).toBe(true)
    expect(await shelf.pull(port)).toBeNull()
    expect(port.hasFeed).toBe(false)
    expect(shelf.contents()).toMatchObject({ 'shop/dev/A': 'a' })
    await service.close()
  })
})
