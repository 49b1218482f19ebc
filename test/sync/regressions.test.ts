import { describe, expect, test } from 'vitest'
import { copyTo } from '../../electron/app/bulk/copy-to.ts'
import { countBelow } from '../../electron/mirror/base-layer.ts'
import { advance } from '../../electron/mirror/queue-layer.ts'
import { runSeed } from '../fuzz/run-seed.ts'
import { loseAnswer, loseThenRefuseReads, sends, type TestClient, unreachable, type Network } from '../support/build-client.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { createSyncStage } from '../support/sync-stage.ts'
import { asShown, rowsAsShown } from '../support/as-shown.ts'

/** What seeded histories broke once, each as short as it can be told. */

const { service, open } = createSyncStage()

const environment = (client: TestClient, slug: string, project = 'shop') =>
  client.find('environment', client.find('project', null, project).id, slug).id

/** Two clients that both have shop/prod and shop/dev with a variable X in each. */
async function two(): Promise<[TestClient, TestClient]> {
  const [one, other] = [open(), open()]
  one.createProject('Shop')
  for (const slug of ['prod', 'dev']) {
    one.createEnvironment('shop', slug)
    one.setVariable(environment(one, slug), 'X', `x of ${slug}`)
  }
  await one.sync()
  await other.sync()
  expect(other.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/dev/X': 'x of dev', 'shop/prod': '', 'shop/prod/X': 'x of prod' })
  return [one, other]
}

const rename = (client: TestClient, from: string, to: string) => client.updateParent('environment', environment(client, from), { slug: to })

/** Everything that `client` still waits for, in words. */
const waiting = (client: TestClient) => client.queue().map(({ kind, rowKind, state }) => `${kind} ${rowKind} ${state}`)

/** Moves the variable MOVED from one environment to another. */
function moveVariable(client: TestClient, from: string, to: string): void {
  const { id } = client.find('variable', environment(client, from), 'MOVED')
  const input = { rows: rowsAsShown([id]), seen: asShown, environmentId: environment(client, to), onTaken: 'skip' as const, move: true }
  client.mirror.write((tx) => copyTo(tx, { now: client.now(), newId: client.newId }, input))
}

/** Two environments change slugs, as one person would do it. */
async function swap(client: TestClient): Promise<void> {
  rename(client, 'prod', 'tmp')
  rename(client, 'dev', 'prod')
  rename(client, 'tmp', 'dev')
  await client.sync()
  expect(waiting(client)).toEqual([])
}

describe('slugs that are not what they were', () => {
  test('a slug swap here, with deletes by name queued in both environments, deletes the right records', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'STAYS', 'in old prod')
    await one.sync()
    one.deleteVariable(environment(one, 'prod'), 'X')
    rename(one, 'prod', 'tmp')
    rename(one, 'dev', 'prod')
    rename(one, 'tmp', 'dev')
    one.setVariable(environment(one, 'dev'), 'X', 'new x of old prod')
    one.deleteVariable(environment(one, 'prod'), 'X')
    await one.sync()
    await other.sync()
    expect(waiting(one)).toEqual([])
    expect(other.contents()).toEqual({
      shop: '',
      'shop/dev': '',
      'shop/dev/STAYS': 'in old prod',
      'shop/dev/X': 'new x of old prod',
      'shop/prod': '',
    })
  })

  test('a delete queued before somebody swapped the slugs deletes its own record', async () => {
    const [one, other] = await two()
    other.deleteVariable(environment(other, 'prod'), 'X')
    await swap(one)
    await other.sync()
    await one.sync()
    expect(waiting(other)).toEqual([])
    expect(one.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/prod': '', 'shop/prod/X': 'x of dev' })
    expect(other.contents()).toEqual(one.contents())
  })

  test('a new variable queued before somebody swapped the slugs ends in its own environment, and in no other', async () => {
    const [one, other] = await two()
    other.setVariable(environment(other, 'prod'), 'NEW', 'for old prod')
    await swap(one)
    await other.sync()
    await one.sync()
    expect(waiting(other)).toEqual([])
    expect(one.contents()).toMatchObject({ 'shop/dev/NEW': 'for old prod' })
    expect(one.contents()).not.toHaveProperty('shop/prod/NEW')
  })

  test('a new variable whose answer was lost while its environment got another slug is there once', async () => {
    const [one, other] = await two()
    other.setVariable(environment(other, 'prod'), 'NEW', 'for old prod')
    await swap(one)
    let isCut = false
    other.network = (forward, request) => {
      // Nothing that follows the lost answer arrives either: the process ends before it is reconciled.
      if (isCut) return unreachable(forward, request)
      isCut = request.method === 'POST'
      return isCut ? loseAnswer(forward, request) : forward()
    }
    await other.sync()
    expect(isCut).toBe(true)
    other.restart()
    other.network = (forward) => forward()
    other.skew = 3_600_000
    await other.sync()
    await other.sync()
    expect(waiting(other)).toEqual([])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/dev/NEW': 'for old prod' })
    expect(one.contents()).not.toHaveProperty('shop/prod/NEW')
    expect(other.contents()).toEqual(one.contents())
  })

  test('a new variable whose first request never arrived is made in its own environment, not where that was', async () => {
    const [one, other] = await two()
    other.setVariable(environment(other, 'prod'), 'NEW', 'for old prod')
    other.network = (forward, request) =>
      request.method === 'POST'
        ? Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }))
        : forward()
    await other.sync()
    await swap(one)
    one.setVariable(environment(one, 'prod'), 'NEW', 'of somebody')
    await one.sync()
    other.network = (forward) => forward()
    other.skew = 3_600_000
    await other.sync()
    other.skew *= 2
    await other.sync()
    await one.sync()
    expect(waiting(other)).toEqual([])
    expect(one.contents()).toMatchObject({ 'shop/dev/NEW': 'for old prod', 'shop/prod/NEW': 'of somebody' })
  })

  test('a new variable that was made, though nothing could say so, asks about what others made of it before it takes an edit', async () => {
    const [one, other] = await two()
    other.setVariable(environment(other, 'prod'), 'NEW', 'first')
    const refuse = (status: number) =>
      Promise.resolve(Response.json({ success: false, code: status, message: 'No.', data: {} }, { status }))
    let isCut = false
    other.network = (forward, request) => {
      if (isCut) return request.path.startsWith('/records/') ? refuse(403) : request.path === '/changes' ? refuse(500) : forward()
      isCut = request.method === 'POST'
      return isCut ? loseAnswer(forward, request) : forward()
    }
    await other.sync()
    other.skew = 3_600_000
    await other.sync()
    expect(other.queue()).toMatchObject([{ kind: 'create', state: 'failed' }])
    await one.sync()
    one.setVariable(environment(one, 'prod'), 'NEW', 'theirs')
    await one.sync()
    other.setVariable(environment(other, 'prod'), 'NEW', 'mine')
    other.network = (forward) => forward()
    other.skew *= 2
    await other.sync()
    expect(other.queue()).toMatchObject([{ kind: 'update', state: 'conflict', conflict: { kind: 'fields' } }])
    expect(one.contents()).toMatchObject({ 'shop/prod/NEW': 'theirs' })
  })

  test('a delete in an environment that was renamed there is not taken for done', async () => {
    const [one, other] = await two()
    other.deleteVariable(environment(other, 'prod'), 'X')
    rename(one, 'prod', 'live')
    await one.sync()
    await other.sync()
    await one.sync()
    expect(one.contents()).not.toHaveProperty('shop/live/X')
    expect(other.contents()).toEqual(one.contents())
  })

  test('an edit below a project that was renamed there is sent, not parked as deleted', async () => {
    const [one, other] = await two()
    one.updateParent('project', one.find('project', null, 'shop').id, { slug: 'store' })
    one.setVariable(environment(one, 'prod', 'store'), 'X', 'theirs')
    await one.sync()
    other.setVariable(environment(other, 'dev'), 'X', 'mine')
    other.updateParent('environment', environment(other, 'dev'), { name: 'Development' })
    await other.sync()
    await one.sync()
    expect(waiting(other)).toEqual([])
    expect(one.contents()).toMatchObject({ 'store/dev/X': 'mine', 'store/prod/X': 'theirs' })
  })

  test('a create that meets a renamed environment is not taken for one that the service cannot do', async () => {
    const [one, other] = await two()
    for (const name of ['N1', 'N2', 'N3']) other.setVariable(environment(other, 'prod'), name, name)
    rename(one, 'prod', 'live')
    await one.sync()
    await other.sync()
    expect(waiting(other)).toEqual([])
  })

  test('an environment is not taken for gone because its project was renamed while an edit below it was sent', async () => {
    const [one, other] = await two()
    const project = other.find('project', null, 'shop').id
    const prod = environment(other, 'prod')
    let sent = 0
    other.network = async (forward, { method }) => {
      if (method === 'POST' && sent++ === 0) {
        one.updateParent('project', one.find('project', null, 'shop').id, { slug: 'store' })
        await one.sync()
      }
      return forward()
    }
    rename(one, 'prod', 'live')
    await one.sync()
    other.setVariable(prod, 'X', 'mine')
    await other.sync()
    expect(sent).toBeGreaterThan(0)
    expect(waiting(other)).toEqual([])
    expect(other.children('environment', project).map(({ id }) => id)).toContain(prod)
    await one.sync()
    expect(one.contents()).toMatchObject({ 'store/live/X': 'mine' })
  })

  test('what is sent to an environment whose slug another lane has just changed arrives', async () => {
    const { problem } = await runSeed(116)
    expect(problem).toBeNull()
  })
})

describe('places that are gone', () => {
  test('an environment is not taken for gone when its project gets another slug while it is looked for', async () => {
    const [one, other] = await two()
    one.snapshot(environment(one, 'dev'), { note: 'asked for before' })
    one.network = async (forward, { path }) => {
      const answer = await forward()
      if (path !== '/projects/shop') return answer
      one.network = (next) => next()
      other.updateParent('project', other.find('project', null, 'shop').id, { slug: 'store' })
      await other.sync()
      return answer
    }
    await one.sync()
    await one.sync()
    expect(one.contents()).toEqual(other.contents())
    expect(one.operations()).toEqual([])
    expect(
      service()
        .stored()
        .versions.map(({ note }) => note),
    ).toEqual(['asked for before'])
  })

  test('an environment to create again goes before a new slug of its project that waits for the edits below', async () => {
    const [one, other] = await two()
    other.setVariable(environment(other, 'prod'), 'X', 'mine')
    other.updateParent('project', other.find('project', null, 'shop').id, { slug: 'store' })
    one.deleteParent('environment', environment(one, 'prod'))
    await one.sync()
    await other.sync()
    for (const change of other.queue()) if (change.conflict) other.resolve(change.id, { take: 'mine' })
    await other.sync()
    await other.sync()
    expect(waiting(other)).toEqual([])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'store/prod/X': 'mine' })
  })

  test('an environment that was deleted and made again before anybody asked: what is gone from it does not come back unasked', async () => {
    const [one, other] = await two()
    other.renameVariable(environment(other, 'prod'), 'X', 'Y')
    one.deleteParent('environment', environment(one, 'prod'))
    await one.sync()
    other.network = (forward, request) =>
      request.method === 'GET' && request.path.endsWith('/changes') ? unreachable(forward, request) : forward()
    await other.sync()
    expect(waiting(other)).toEqual(['create variable conflict'])
    one.createEnvironment('shop', 'prod')
    await one.sync()
    other.network = (forward) => forward()
    await other.sync()
    expect(waiting(other)).toEqual(['create variable conflict'])
    expect(other.queue()).toMatchObject([{ conflict: { kind: 'deleted-remotely' } }])
    expect(other.drift()).toEqual([])
    await one.sync()
    expect(one.contents()).not.toHaveProperty('shop/prod/Y')
    other.resolve(other.queue()[0]?.id ?? '', { take: 'mine' })
    await other.sync()
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/Y': 'x of prod' })
  })

  test('an environment the user deleted does not come back with a project that somebody deleted', async () => {
    const [one, other] = await two()
    other.setVariable(environment(other, 'dev'), 'X', 'mine')
    other.setVariable(environment(other, 'prod'), 'X', 'moot')
    other.deleteParent('environment', environment(other, 'prod'))
    one.deleteParent('project', one.find('project', null, 'shop').id)
    await one.sync()
    await other.sync()
    for (const change of other.queue()) if (change.conflict) other.resolve(change.id, { take: 'mine' })
    await other.sync()
    expect(waiting(other)).toEqual([])
    expect(other.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/dev/X': 'mine' })
  })
})

describe('the order things come in', () => {
  test('an environment whose variables come first in the feed hangs below its project', async () => {
    const [one] = await two()
    one.updateParent('environment', environment(one, 'prod'), { name: 'Renamed last' })
    await one.sync()
    const late = open()
    await late.sync()
    expect(late.contents()).toEqual(one.contents())
  })

  test('an environment made offline takes over the one that somebody made, also when its variables come first', async () => {
    const [one, other] = await two()
    other.createEnvironment('shop', 'test')
    other.setVariable(environment(other, 'test'), 'MINE', 'mine')
    one.createEnvironment('shop', 'test')
    one.setVariable(environment(one, 'test'), 'THEIRS', 'theirs')
    await one.sync()
    one.updateParent('environment', environment(one, 'test'), { name: 'Later name' })
    one.updateParent('environment', environment(one, 'test'), { name: 'test' })
    await one.sync()
    await other.sync()
    expect(other.children('environment', other.find('project', null, 'shop').id)).toHaveLength(3)
    expect(other.contents()).toMatchObject({ 'shop/test/MINE': 'mine', 'shop/test/THEIRS': 'theirs' })
  })

  test('a create whose answer was lost, then renamed by somebody, is not brought back as it was made', async () => {
    const [one, other] = await two()
    let lost = false
    const loseOnce: Network = (forward, request) => {
      if (lost) return unreachable(forward, request)
      lost = request.method === 'POST'
      return lost ? loseAnswer(forward, request) : forward()
    }
    one.network = loseOnce
    one.setVariable(environment(one, 'prod'), 'N', 'made')
    await one.sync()
    expect(waiting(one)).toEqual(['create variable sending'])
    await other.sync()
    other.renameVariable(environment(other, 'prod'), 'N', 'M')
    await other.sync()
    one.network = (forward) => forward()
    one.skew = 3_600_000
    await one.sync()
    await one.sync()
    expect(waiting(one)).toEqual([])
    expect(one.contents()).toEqual(other.contents())
    expect(one.contents()).toMatchObject({ 'shop/prod/M': 'made' })
  })

  test('nor when the feed had told of its new name before the create was reconciled', async () => {
    const [one, other] = await two()
    one.network = async (forward, request) => {
      if (request.path.includes('/records/')) return Response.json({ success: false, code: 500, message: 'No.', data: {} }, { status: 500 })
      if (request.method !== 'POST') return forward()
      await forward()
      await other.sync()
      other.renameVariable(environment(other, 'prod'), 'N', 'M')
      await other.sync()
      return loseAnswer(() => Promise.resolve(new Response()), request)
    }
    one.setVariable(environment(one, 'prod'), 'N', 'made')
    await one.sync()
    expect(waiting(one)).toEqual(['create variable sending'])
    one.network = (forward) => forward()
    one.skew = 3_600_000
    await one.sync()
    await one.sync()
    expect(waiting(one)).toEqual([])
    expect(other.contents()).toMatchObject({ 'shop/prod/M': 'made' })
    expect(one.contents()).toEqual(other.contents())
  })

  /** Creates prod/N; the answer is lost, the record may not be read, and no pull brings it. */
  async function giveUp(client: TestClient): Promise<void> {
    const refused = () => Promise.resolve(Response.json({ success: false, code: 403, message: 'No.', data: {} }, { status: 403 }))
    client.network = (forward, request) => {
      if (request.method === 'POST') return loseAnswer(forward, request)
      if (request.path.endsWith('/changes')) return unreachable(forward, request)
      return request.path.includes('/records/') ? refused() : forward()
    }
    client.setVariable(environment(client, 'prod'), 'N', 'made')
    await client.sync()
    await client.sync()
    expect(waiting(client)).toEqual(['create variable failed'])
  }

  test('a create that was parked while nobody knew whether it was done, and tried again, is one record, and not one more', async () => {
    const [one, other] = await two()
    await giveUp(one)
    await other.sync()
    other.renameVariable(environment(other, 'prod'), 'N', 'M')
    await other.sync()
    one.network = (forward) => forward()
    one.retry(one.queue()[0]?.id ?? '')
    await one.sync()
    await one.sync()
    expect(waiting(one)).toEqual([])
    expect(one.contents()).toMatchObject({ 'shop/prod/M': 'made' })
    expect(one.contents()).not.toHaveProperty('shop/prod/N')
  })

  test('an edit whose answer was lost, and that somebody took back before it was read, is sent again over the value that its user saw', async () => {
    const [one, other] = await two()
    one.network = (forward, request) => {
      const isEdit = request.method === 'POST' || request.method === 'PATCH'
      one.network = isEdit ? unreachable : one.network
      return isEdit ? loseAnswer(forward, request) : forward()
    }
    one.setVariable(environment(one, 'prod'), 'X', 'mine')
    await one.sync()
    await other.sync()
    expect(other.contents()).toMatchObject({ 'shop/prod/X': 'mine' })
    other.setVariable(environment(other, 'prod'), 'X', 'x of prod')
    await other.sync()
    one.network = (forward) => forward()
    one.skew = 3_600_000
    await one.sync()
    await one.sync()
    await other.sync()
    expect(waiting(one)).toEqual([])
    expect([one.contents(), other.contents()].map((contents) => contents['shop/prod/X'])).toEqual(['mine', 'mine'])
  })

  test('a create that was parked so, and edited since, is the record with the edit', async () => {
    const [one, other] = await two()
    await giveUp(one)
    one.setVariable(environment(one, 'prod'), 'N', 'edited since')
    one.network = (forward) => forward()
    await one.sync()
    await one.sync()
    await other.sync()
    expect(waiting(one)).toEqual([])
    expect(one.contents()).toMatchObject({ 'shop/prod/N': 'edited since' })
    expect(other.contents()).toEqual(one.contents())
  })

  test('a create whose answer was lost, and whose record somebody deleted, is asked about and sent no second time unasked', async () => {
    const [one, other] = await two()
    one.network = (forward, request) => {
      one.network = request.method === 'POST' ? unreachable : one.network
      return request.method === 'POST' ? loseAnswer(forward, request) : forward()
    }
    one.setVariable(environment(one, 'prod'), 'N', 'made')
    await one.sync()
    await other.sync()
    other.deleteVariable(environment(other, 'prod'), 'N')
    await other.sync()
    one.network = (forward) => forward()
    one.skew = 3_600_000
    await one.sync()
    await one.sync()
    expect(waiting(one)).toEqual(['create variable conflict'])
    one.resolve(one.queue()[0]?.id ?? '', { take: 'theirs' })
    await one.sync()
    expect(one.contents()).toEqual(other.contents())
  })
})

test('a question about a record met under its name is open again when that record was only renamed, and comes back', async () => {
  const [one, other] = await two()
  one.setVariable(environment(one, 'prod'), 'N', 'theirs')
  await one.sync()
  other.setVariable(environment(other, 'prod'), 'N', 'mine')
  await other.sync()
  expect(other.queue()[0]?.conflict?.kind).toBe('name-taken')
  const tracked = other.queue()[0]?.rowId ?? ''
  const hidden: Network = async (forward, request) => {
    // On a service that names nothing but names, a record that others renamed is not there.
    if (request.path.endsWith('/variables/N'))
      return Response.json({ success: false, code: 404, message: 'No such variable.', data: {} }, { status: 404 })
    const answer = await withoutFeed(forward, request)
    if (!request.path.endsWith('/variables') || request.method !== 'GET') return answer
    const body = (await answer.json()) as { data: { items: { name: string }[] } }
    const items = body.data.items.filter(({ name }) => name !== 'N')
    return Response.json({ ...body, data: { ...body.data, items } })
  }
  other.network = hidden
  await other.sync()
  expect(other.queue()[0]).toMatchObject({ rowId: tracked, kind: 'create', conflict: { kind: 'deleted-remotely' } })
  other.network = withoutFeed
  await other.sync()
  expect(waiting(other)).toHaveLength(1)
  expect(other.queue()[0]?.conflict?.remote).toMatchObject({ name: 'N' })
  await one.sync()
  expect(one.contents()).toMatchObject({ 'shop/prod/N': 'theirs' })
})

test('a parked change whose time has passed does not make sync run round and round', async () => {
  const [one, other] = await two()
  let requests = 0
  other.network = (forward, { method }) => {
    requests += 1
    return method === 'POST'
      ? Promise.resolve(Response.json({ success: false, code: 500, message: 'No.', data: {} }, { status: 500 }))
      : forward()
  }
  other.setVariable(environment(other, 'prod'), 'X', 'mine')
  await other.sync()
  one.setVariable(environment(one, 'prod'), 'X', 'theirs')
  await one.sync()
  other.skew = 3_600_000
  other.network = (forward) => {
    requests += 1
    return forward()
  }
  requests = 0
  await other.sync()
  expect(waiting(other)).toEqual(['update variable conflict'])
  expect(requests).toBeLessThan(12)
  expect(other.engine.status().nextAttemptAt).toBeNull()
})

test('what was typed after a snapshot stays after it when the environment has to be made again', async () => {
  const [one, other] = await two()
  const prod = environment(other, 'prod')
  other.setVariable(prod, 'X', 'before')
  expect(other.snapshot(prod).ok).toBe(true)
  other.setVariable(prod, 'X', 'after')
  one.deleteParent('environment', environment(one, 'prod'))
  await one.sync()
  await other.sync()
  expect(other.drift()).toEqual([])
  other.resolve(other.queue().find(({ conflict }) => conflict !== null)?.id ?? '', { take: 'mine' })
  await other.sync()
  expect([...other.queue(), ...other.operations()]).toEqual([])
  expect(other.savedIn(other.version(prod, 'v1').id)).toEqual([{ name: 'X', value: 'before' }])
  expect(other.contents()).toMatchObject({ 'shop/prod/X': 'after' })
})

test('a snapshot waits for an edit before it that became a question in the same round', async () => {
  const [one, other] = await two()
  one.deleteVariable(environment(one, 'prod'), 'X')
  await one.sync()
  other.setVariable(environment(other, 'prod'), 'X', 'mine')
  other.setVariable(environment(other, 'prod'), 'Y', 'sent')
  expect(other.snapshot(environment(other, 'prod')).ok).toBe(true)
  await other.sync()
  expect(waiting(other)).toEqual(['create variable conflict'])
  expect(other.operations()).toMatchObject([{ kind: 'snapshot', state: 'queued', attempts: 0 }])
  expect(service().stored().versions).toEqual([])
  other.resolve(other.queue()[0]?.id ?? '', { take: 'mine' })
  await other.sync()
  expect(other.operations()).toEqual([])
  expect(other.savedIn(other.version(environment(other, 'prod'), 'v1').id)).toEqual([
    { name: 'X', value: 'mine' },
    { name: 'Y', value: 'sent' },
  ])
})

describe('what comes behind a conflict', () => {
  /** `other` has a conflict about X, and a later edit of X that was typed while the first was being sent. */
  async function conflictWithMoreBehind(): Promise<[TestClient, TestClient]> {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'X', 'theirs')
    await one.sync()
    other.setVariable(environment(other, 'prod'), 'X', 'mine')
    other.network = (forward, { method }) => {
      if (method === 'POST') other.setVariable(environment(other, 'prod'), 'X', 'mine again')
      return forward()
    }
    await other.sync()
    other.network = (forward) => forward()
    expect(waiting(other)).toEqual(['update variable conflict', 'update variable queued'])
    return [one, other]
  }

  test('asks in its turn when theirs is taken, and never goes over it unasked', async () => {
    const [one, other] = await conflictWithMoreBehind()
    other.resolve(other.queue()[0]?.id ?? '', { take: 'theirs' })
    await other.sync()
    expect(waiting(other)).toEqual(['update variable conflict'])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/X': 'theirs' })
  })

  test('gives way to a value typed to resolve it, and stays in the local history', async () => {
    const [one, other] = await conflictWithMoreBehind()
    const row = other.find('variable', environment(other, 'prod'), 'X').id
    other.resolve(other.queue()[0]?.id ?? '', { take: 'edit', fields: { value: 'decided' } })
    expect(other.contents()).toMatchObject({ 'shop/prod/X': 'decided' })
    expect(other.historyOf(row)).toContainEqual({ whose: 'mine', value: 'mine again' })
    expect(other.drift()).toEqual([])
    await other.sync()
    expect(waiting(other)).toEqual([])
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/X': 'decided' })
  })

  test('goes with it when the row is deleted, and nothing of theirs does unasked', async () => {
    const [one, other] = await conflictWithMoreBehind()
    const methods: string[] = []
    other.network = (forward, { method }) => {
      methods.push(method)
      return forward()
    }
    other.deleteVariable(environment(other, 'prod'), 'X')
    await other.sync()
    expect(methods).not.toContain('POST')
    const [asked] = other.queue()
    expect(asked).toMatchObject({ kind: 'delete', state: 'conflict', conflict: { kind: 'changed-remotely' } })
    other.resolve(asked?.id ?? '', { take: 'mine' })
    await other.sync()
    await one.sync()
    expect(methods).not.toContain('PATCH')
    expect(one.contents()).not.toHaveProperty('shop/prod/X')
  })
})

test('a row to bring back that met a new one of its name keeps asking, and never writes its old value over', async () => {
  const [one, other] = await two()
  one.deleteVariable(environment(one, 'prod'), 'X')
  await one.sync()
  other.renameVariable(environment(other, 'prod'), 'X', 'Y')
  await other.sync()
  one.setVariable(environment(one, 'prod'), 'Y', 'new')
  await one.sync()
  await other.sync()
  one.setVariable(environment(one, 'prod'), 'Y', 'newer')
  await one.sync()
  await other.sync()
  expect(waiting(other)).toEqual(['update variable conflict'])
  await one.sync()
  expect(one.contents()).toMatchObject({ 'shop/prod/Y': 'newer' })
})

test('another name for a rename to a taken one renames, and copies nothing', async () => {
  const [one, other] = await two()
  one.setVariable(environment(one, 'prod'), 'Y', 'theirs')
  await one.sync()
  other.renameVariable(environment(other, 'prod'), 'X', 'Y')
  await other.sync()
  one.setVariable(environment(one, 'prod'), 'X', 'changed')
  one.renameVariable(environment(one, 'prod'), 'X', 'Z')
  await one.sync()
  await other.sync()
  const [parked] = other.queue()
  other.resolve(parked?.id ?? '', { take: 'edit', fields: { name: 'W' } })
  await other.sync()
  await one.sync()
  expect(one.contents()).toEqual({
    shop: '',
    'shop/dev': '',
    'shop/dev/X': 'x of dev',
    'shop/prod': '',
    'shop/prod/W': 'changed',
    'shop/prod/Y': 'theirs',
  })
})

test('an environment made offline that met another of its slug: another slug takes what was made below along', async () => {
  const [one, other] = await two()
  one.createEnvironment('shop', 'test')
  one.updateParent('environment', environment(one, 'test'), { name: 'Theirs' })
  one.setVariable(environment(one, 'test'), 'A', 'theirs')
  await one.sync()
  other.createEnvironment('shop', 'test')
  other.setVariable(environment(other, 'test'), 'B', 'mine')
  await other.sync()
  expect(waiting(other)).toEqual(['update environment conflict', 'create variable queued'])
  other.resolve(other.queue()[0]?.id ?? '', { take: 'edit', fields: { slug: 'mine', name: 'Mine' } })
  expect(other.drift()).toEqual([])
  await other.sync()
  await one.sync()
  expect(waiting(other)).toEqual([])
  expect(one.contents()).toMatchObject({ 'shop/test/A': 'theirs', 'shop/mine/B': 'mine' })
  expect(one.contents()).not.toHaveProperty('shop/test/B')
  expect(other.contents()).toEqual(one.contents())
})

test('a project to bring back that met another of its slug makes nothing below that one, and another slug takes all of it along', async () => {
  const [one, other] = await two()
  one.deleteParent('project', one.find('project', null, 'shop').id)
  await one.sync()
  for (const slug of ['prod', 'dev']) other.setVariable(environment(other, slug), 'N', `n of ${slug}`)
  await other.sync()
  one.createProject('Shop')
  one.updateParent('project', one.find('project', null, 'shop').id, { name: 'Theirs' })
  one.createEnvironment('shop', 'dev')
  await one.sync()
  other.resolve(other.queue().find(({ conflict }) => conflict !== null)?.id ?? '', { take: 'mine' })
  await other.sync()
  expect(other.queue().filter(({ conflict }) => conflict !== null)).toMatchObject([
    { rowKind: 'project', conflict: { kind: 'name-taken' } },
  ])
  await one.sync()
  expect(one.contents()).toEqual({ shop: '', 'shop/dev': '' })

  const met = other.queue().find(({ conflict }) => conflict !== null)
  other.resolve(met?.id ?? '', { take: 'edit', fields: { slug: 'mine', name: 'Mine' } })
  expect(other.drift()).toEqual([])
  await other.sync()
  await one.sync()
  expect(waiting(other)).toEqual([])
  expect(one.contents()).toEqual({
    shop: '',
    'shop/dev': '',
    mine: '',
    'mine/dev': '',
    'mine/dev/N': 'n of dev',
    'mine/prod': '',
    'mine/prod/N': 'n of prod',
  })
  expect(other.contents()).toEqual(one.contents())
})

describe('moves and edits in the middle of a conflict', () => {
  test('another name for a row in conflict stays a row of its own, also when its value was edited before the choice', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'FOO', 'theirs')
    await one.sync()
    other.setVariable(environment(other, 'prod'), 'FOO', 'mine')
    await other.sync()
    other.setVariable(environment(other, 'prod'), 'FOO', 'mine again')
    const [parked] = other.queue()
    expect(parked).toMatchObject({ state: 'conflict', conflict: { kind: 'name-taken' } })
    other.resolve(parked?.id ?? '', { take: 'edit', fields: { name: 'FOO2' } })
    await other.sync()
    await one.sync()
    expect(one.contents()).toMatchObject({ 'shop/prod/FOO': 'theirs', 'shop/prod/FOO2': 'mine again' })
  })

  test('a move that is refused deletes nothing', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'MOVED', 'only here')
    await one.sync()
    one.network = (forward, { method }) =>
      method === 'POST'
        ? Promise.resolve(Response.json({ success: false, code: 403, message: 'No.', data: {} }, { status: 403 }))
        : forward()
    const { id } = one.find('variable', environment(one, 'prod'), 'MOVED')
    const moved = one.mirror.write((tx) =>
      copyTo(
        tx,
        { now: one.now(), newId: one.newId },
        { seen: asShown, rows: rowsAsShown([id]), environmentId: environment(one, 'dev'), onTaken: 'skip', move: true },
      ),
    )
    expect(moved).toMatchObject({ ok: true, value: { copied: 1 } })
    await one.sync()
    await other.sync()
    expect(other.contents()).toMatchObject({ 'shop/prod/MOVED': 'only here' })
    expect(waiting(one)).toEqual(['update variable failed'])
    one.discard(one.queue()[0]?.id ?? '')
    await one.sync()
    await other.sync()
    expect(one.queue()).toEqual([])
    expect(one.contents()).toEqual(other.contents())
    expect(other.contents()).toMatchObject({ 'shop/prod/MOVED': 'only here' })
  })

  test('what was moved while somebody changed it moves as they changed it', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'MOVED', 'once')
    await one.sync()
    await other.sync()
    other.setVariable(environment(other, 'prod'), 'MOVED', 'changed')
    await other.sync()
    moveVariable(one, 'prod', 'dev')
    await one.sync()
    await other.sync()
    expect(one.queue()).toEqual([])
    expect(one.contents()).toMatchObject({ 'shop/dev/MOVED': 'changed' })
    expect(one.contents()).not.toHaveProperty('shop/prod/MOVED')
    expect(other.contents()).toEqual(one.contents())
  })

  test.each([
    { choice: { take: 'edit', fields: { value: 'chosen' } } as const, ends: { 'shop/dev/MOVED': 'chosen' } },
    { choice: { take: 'mine' } as const, ends: { 'shop/dev/MOVED': 'mine' } },
    { choice: { take: 'theirs' } as const, ends: { 'shop/prod/MOVED': 'changed' } },
  ])('what was edited and moved while somebody changed it ends as chosen: $choice.take', async ({ choice, ends }) => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'MOVED', 'once')
    await one.sync()
    await other.sync()
    other.setVariable(environment(other, 'prod'), 'MOVED', 'changed')
    await other.sync()
    one.setVariable(environment(one, 'prod'), 'MOVED', 'mine')
    moveVariable(one, 'prod', 'dev')
    expect(waiting(one)).toEqual(['update variable queued'])
    await one.sync()
    const [parked] = one.queue()
    expect(parked).toMatchObject({ kind: 'update', conflict: { kind: 'fields' } })
    one.resolve(parked?.id ?? '', choice)
    await one.sync()
    await other.sync()
    expect(one.queue()).toEqual([])
    expect(one.contents()).toEqual({
      shop: '',
      'shop/dev': '',
      'shop/dev/X': 'x of dev',
      'shop/prod': '',
      'shop/prod/X': 'x of prod',
      ...ends,
    })
    expect(other.contents()).toEqual(one.contents())
  })

  test('a variable that two people moved apart is asked about, and ends where its user says', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'MOVED', 'once')
    one.createEnvironment('shop', 'test')
    await one.sync()
    await other.sync()
    const { id } = other.find('variable', environment(other, 'prod'), 'MOVED')
    const input = {
      rows: rowsAsShown([id]),
      seen: asShown,
      environmentId: environment(other, 'test'),
      onTaken: 'skip' as const,
      move: true,
    }
    other.mirror.write((tx) => copyTo(tx, { now: other.now(), newId: other.newId }, input))
    await other.sync()
    moveVariable(one, 'prod', 'dev')
    await one.sync()
    expect(one.queue()).toMatchObject([{ kind: 'update', conflict: { kind: 'fields' } }])
    one.resolve(one.queue()[0]?.id ?? '', { take: 'mine' })
    await one.sync()
    await other.sync()
    expect(one.contents()).toMatchObject({ 'shop/dev/MOVED': 'once' })
    expect(one.contents()).not.toHaveProperty('shop/test/MOVED')
    expect(other.contents()).toEqual(one.contents())
  })

  test('what was moved over another and moved back waits for nothing for ever', async () => {
    const [one, other] = await two()
    const move = (from: string, to: string) => {
      const { id } = one.find('variable', environment(one, from), 'X')
      const input = {
        rows: rowsAsShown([id]),
        seen: asShown,
        environmentId: environment(one, to),
        onTaken: 'overwrite' as const,
        move: true,
      }
      one.mirror.write((tx) => copyTo(tx, { now: one.now(), newId: one.newId }, input))
    }
    move('prod', 'dev')
    move('dev', 'prod')
    await one.sync()
    await one.sync()
    await other.sync()
    expect(waiting(one)).toEqual([])
    expect(one.contents()).toEqual({ shop: '', 'shop/dev': '', 'shop/prod': '', 'shop/prod/X': 'x of prod' })
    expect(other.contents()).toEqual(one.contents())
  })

  test('a move takes the variable out of one environment and into the other', async () => {
    const [one, other] = await two()
    one.setVariable(environment(one, 'prod'), 'MOVED', 'once')
    await one.sync()
    const { id } = one.find('variable', environment(one, 'prod'), 'MOVED')
    one.mirror.write((tx) =>
      copyTo(
        tx,
        { now: one.now(), newId: one.newId },
        { seen: asShown, rows: rowsAsShown([id]), environmentId: environment(one, 'dev'), onTaken: 'skip', move: true },
      ),
    )
    await one.sync()
    await other.sync()
    expect(one.queue()).toEqual([])
    expect(other.contents()).toMatchObject({ 'shop/dev/MOVED': 'once' })
    expect(other.contents()).not.toHaveProperty('shop/prod/MOVED')
  })
})

test('requests of unknown outcome in two environments of a project that is gone: what was typed since stands in both', async () => {
  const [one, other] = await two()
  one.setVariable(environment(one, 'prod'), 'X', 'sent to prod')
  one.setVariable(environment(one, 'dev'), 'X', 'sent to dev')
  one.setVariable(environment(one, 'dev'), 'Y', 'sent to dev')
  one.network = (forward, request) => (request.method === 'GET' ? forward() : unreachable(forward, request))
  one.mirror.write((tx) => {
    for (const change of one.queue()) advance(tx, change, { is: 'send' })
  })
  one.setVariable(environment(one, 'prod'), 'X', 'last of prod')
  one.setVariable(environment(one, 'dev'), 'X', 'last of dev')
  one.setVariable(environment(one, 'dev'), 'Y', 'last of dev')
  other.deleteParent('project', other.find('project', null, 'shop').id)
  await other.sync()
  one.network = (forward) => forward()
  await one.sync()
  expect(one.contents()).toMatchObject({ 'shop/prod/X': 'last of prod', 'shop/dev/X': 'last of dev', 'shop/dev/Y': 'last of dev' })
  expect(one.drift()).toEqual([])
})

test('a deletion made before everything was read once takes nothing along that its user has not seen', async () => {
  const [one] = await two()
  const late = open()
  late.createProject('Mine')
  // Whether it was made stays unknown, so that the first read is not taken for a whole one.
  late.network = async (forward, request) => {
    if (sends('create project', request)) await forward()
    const fails = sends('create project', request) || request.path.includes('/records/')
    if (sends('delete project', request)) {
      one.setVariable(environment(one, 'prod'), 'NEW', 'unseen')
      await one.sync()
    }
    return fails ? Response.json({}, { status: 500 }) : forward()
  }
  await late.sync()
  late.deleteParent('project', late.find('project', null, 'shop').id)
  await late.sync()
  one.setVariable(environment(one, 'prod'), 'NEWER', 'unseen')
  await one.sync()
  late.network = (forward) => forward()
  late.skew = 3_600_000
  await late.sync()
  expect(late.queue()).toMatchObject([{ kind: 'delete', state: 'conflict', conflict: { kind: 'changed-below' } }])
  await one.sync()
  expect(one.contents()).toMatchObject({ 'shop/prod/X': 'x of prod', 'shop/prod/NEWER': 'unseen' })
})

test.each([
  {
    what: 'a value',
    act: (one: TestClient) => one.setVariable(environment(one, 'prod'), 'MOVED', '2'),
    back: (one: TestClient) => one.setVariable(environment(one, 'prod'), 'MOVED', '1'),
  },
  {
    what: 'a name',
    act: (one: TestClient) => void one.renameVariable(environment(one, 'prod'), 'MOVED', 'NEW'),
    back: (one: TestClient) => void one.renameVariable(environment(one, 'prod'), 'NEW', 'MOVED'),
  },
  {
    what: 'a slug',
    act: (one: TestClient) => void rename(one, 'prod', 'live'),
    back: (one: TestClient) => void rename(one, 'live', 'prod'),
  },
  {
    what: 'a move',
    act: (one: TestClient) => moveVariable(one, 'prod', 'dev'),
    back: (one: TestClient) => moveVariable(one, 'dev', 'prod'),
  },
])('$what that is set back after it may have been sent, and is then discarded, is set back on the service', async ({ act, back }) => {
  const [one, other] = await two()
  one.setVariable(environment(one, 'prod'), 'MOVED', '1')
  await one.sync()
  await other.sync()
  const before = other.contents()
  act(one)
  one.network = loseThenRefuseReads()
  await one.sync()
  await one.sync()
  back(one)
  await one.sync()
  const [unsure] = one.queue()
  expect(unsure).toMatchObject({ state: 'failed', attempts: 1 })
  expect(one.discard(unsure?.id ?? '')).toMatchObject({ ok: true })
  expect(waiting(one)).toHaveLength(1)
  expect([one.contents(), one.drift()]).toEqual([before, []])
  one.network = (forward) => forward()
  await one.sync()
  await other.sync()
  expect([waiting(one), one.contents(), other.contents()]).toEqual([[], before, before])
})

test.each([
  { what: 'a value', act: (one: TestClient) => one.setVariable(environment(one, 'prod'), 'X', '2'), done: { 'shop/prod/X': '2' } },
  {
    what: 'a new variable',
    act: (one: TestClient) => one.setVariable(environment(one, 'prod'), 'NEW', '2'),
    done: { 'shop/prod/NEW': '2' },
  },
  { what: 'an invitation', act: (one: TestClient) => void one.invite('ada@example.com', 'viewer'), done: {} },
])('$what that may have been sent can be discarded until sync has checked it, also once it is retried', async ({ act, done }) => {
  const [one] = await two()
  act(one)
  one.network = loseThenRefuseReads()
  await one.sync()
  await one.sync()
  const [unsure] = one.entries()
  expect(unsure).toMatchObject({ state: 'failed', attempts: 2 })
  const { id } = unsure ?? { id: '' }
  one.network = unreachable
  for (let round = 0; round < 2; round += 1) {
    one.retry(id)
    await one.sync()
  }
  const reason = 'The service may already have done this. Sync checks before sending it again.'
  expect(one.queueRows()).toMatchObject([{ state: 'sending', isToBeChecked: true, reason }])
  expect(one.discard(id)).toMatchObject({ ok: true })
  expect([one.entries(), one.drift()]).toEqual([[], []])
  one.network = (forward) => forward()
  await one.sync()
  expect(one.contents()).toMatchObject(done)
})

test('a change whose answer was lost cannot be discarded before sync has checked it', async () => {
  const [one] = await two()
  one.setVariable(environment(one, 'prod'), 'X', '2')
  one.network = (forward, request) => {
    if (request.method === 'GET') return forward()
    one.network = unreachable
    return loseAnswer(forward, request)
  }
  await one.sync()
  const [change] = one.queue()
  one.retry(change?.id ?? '')
  await one.sync()
  expect(one.queueRows()).toMatchObject([{ state: 'sending', isToBeChecked: false }])
  expect(one.discard(change?.id ?? '')).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
  expect(one.queue()).toHaveLength(1)
})

test('a deletion that turns out to be done cannot be discarded while its many rows are being removed', async () => {
  let onWrite = (): void => {}
  const one = open({
    watch: (mirror) => ({
      ...mirror,
      write(work) {
        const done = mirror.write(work)
        onWrite()
        return done
      },
    }),
  })
  one.createProject('Shop')
  one.createEnvironment('shop', 'prod')
  const prod = environment(one, 'prod')
  const many = 600
  for (let n = 0; n < many; n += 1) one.setVariable(prod, `NAME_${n}`, `${n}`)
  await one.sync()
  one.deleteParent('environment', prod)
  one.network = loseThenRefuseReads()
  await one.sync()
  await one.sync()
  const [unsure] = one.entries()
  expect(unsure).toMatchObject({ kind: 'delete', state: 'failed' })
  const id = unsure?.id ?? ''
  one.retry(id)
  const discarded: boolean[] = []
  onWrite = () => {
    const left = one.mirror.snapshot((tx) => countBelow(tx, prod))
    if (left === 0 || left === many || discarded.length > 0) return
    discarded.push(false)
    discarded[0] = one.discard(id).ok
  }
  one.network = (forward) => forward()
  await one.sync()
  expect(discarded).toEqual([false])
  expect([one.entries(), one.contents(), one.drift()]).toEqual([[], { shop: '' }, []])
})
