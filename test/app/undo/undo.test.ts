import { describe, expect, test, vi } from 'vitest'
import type { Result } from '../../../electron/bridge/result.ts'
import { loseAnswer, sends, unreachable, type Network } from '../../support/build-client.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { only14 } from '../../support/reduced-service.ts'
import { asShown, resolveAsShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

const stage = createServiceStage()

const open = (): Desk => deskOf(stage.open(), { isWoken: true })

/** shop/prod with A = 1 and B = 2, sent; nothing to undo yet. */
async function shop(): Promise<{ desk: Desk; prod: string; a: string; b: string }> {
  const desk = open()
  const { client } = desk
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  client.setVariable(prod, 'A', '1')
  client.setVariable(prod, 'B', '2')
  await client.sync()
  return { desk, prod, a: client.find('variable', prod, 'A').id, b: client.find('variable', prod, 'B').id }
}

const undo = ({ handlers }: Desk) => handlers['undo.undo']({ workspaceId })
/** The same while sync runs. */
async function undoAndSync(desk: Desk): ReturnType<typeof undo> {
  desk.client.engine.start()
  const done = await undo(desk)
  await desk.client.engine.stop()
  return done
}
const redo = ({ handlers }: Desk) => handlers['undo.redo']({ workspaceId })
const status = async ({ handlers }: Desk) => {
  const { undo, redo } = await valueOf(handlers['undo.status']({ workspaceId }))
  return { undo, redo }
}

/** What everybody sees after all has been sent. */
async function onService(desk: Desk): Promise<Record<string, string>> {
  await desk.client.sync()
  expect(desk.client.queue()).toEqual([])
  const { client } = open()
  await client.sync()
  return client.contents()
}

const prodOf = ({ client }: Desk): string => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

const whole = { shop: '', 'shop/prod': '', 'shop/prod/A': '1', 'shop/prod/B': '2' }

test.each<[string, (at: { desk: Desk; projectId: string; prod: string }) => Promise<unknown>, string | undefined]>([
  ['an environment', ({ desk, prod }) => desk.handlers['environments.delete']({ seen: asShown, workspaceId, id: prod }), 'Shop'],
  [
    'a version',
    ({ desk, prod }) => desk.handlers['versions.create']({ workspaceId, environmentId: prod, label: 'v1', note: '' }),
    'Shop / Prod',
  ],
  ['a project', ({ desk, projectId }) => desk.handlers['projects.delete']({ seen: asShown, workspaceId, id: projectId }), undefined],
])('undo and redo of an edit of %s say where it was', async (_, act, path) => {
  const { desk, prod } = await shop()
  await valueOf(act({ desk, projectId: desk.client.find('project', null, 'shop').id, prod }) as Promise<Result<unknown>>)
  for (const turn of [undo, redo]) expect((await valueOf(turn(desk))).place?.path).toBe(path)
})

describe('what was not sent yet is withdrawn', () => {
  test('a deletion of an environment is undone without a read for each of its variables: there may be 100,000', async () => {
    const { desk, prod } = await shop()
    const { client, handlers } = desk
    const count = 200
    for (let n = 0; n < count; n += 1) client.setVariable(prod, `NAME_${n}`, 'value')
    await client.sync()
    await valueOf(handlers['environments.delete']({ seen: asShown, workspaceId, id: prod }))
    const { write } = client.mirror
    let reads = 0
    vi.spyOn(client.mirror, 'write').mockImplementation((work) =>
      write((tx) => work({ ...tx, get: (query) => ((reads += 1), tx.get(query)), all: (query) => ((reads += 1), tx.all(query)) })),
    )
    await valueOf(undo(desk))
    vi.restoreAllMocks()
    expect(Object.keys(client.contents())).toHaveLength(Object.keys(whole).length + count)
    expect(reads).toBeLessThan(count / 2)
  })

  test('nothing is there to undo at first', async () => {
    const { desk } = await shop()
    expect(await status(desk)).toEqual({ undo: null, redo: null })
    expect(await undo(desk)).toEqual({ ok: false, error: { kind: 'not-found', message: 'Nothing to undo.' } })
    expect(await redo(desk)).toEqual({ ok: false, error: { kind: 'not-found', message: 'Nothing to redo.' } })
  })

  test('a new variable goes as if it had never been, and comes again', async () => {
    const { desk, prod } = await shop()
    const input = { workspaceId, environmentId: prod, name: 'C', value: '3', type: 'number', isSecret: true } as const
    await valueOf(desk.handlers['variables.create'](input))
    expect(await status(desk)).toEqual({ undo: 'Create C', redo: null })
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label: 'Create C' } })
    expect(desk.client.queue()).toEqual([])
    expect(await status(desk)).toEqual({ undo: null, redo: 'Create C' })
    expect(await redo(desk)).toMatchObject({ ok: true, value: { label: 'Create C' } })
    expect(desk.client.find('variable', prod, 'C').fields).toMatchObject({ type: 'number', isSecret: true })
    expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/C': '3' })
  })

  test('an edit goes back to what the service has, and leaves the queue', async () => {
    const { desk, prod, a } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'x', name: 'AA' }))
    expect(await status(desk)).toEqual({ undo: 'Rename A to AA', redo: null })
    expect(await valueOf(undo(desk))).toEqual({ label: 'Rename A to AA', place: { id: prod, path: 'Shop / Prod' } })
    expect(desk.client.queue()).toEqual([])
    expect(desk.client.contents()).toEqual(whole)
  })

  test('a deletion is taken out of the queue', async () => {
    const { desk, a, b } = await shop()
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a, b]) }))
    expect(await status(desk)).toEqual({ undo: 'Delete 2 variables', redo: null })
    await valueOf(undo(desk))
    expect(desk.client.queue()).toEqual([])
    expect(desk.client.contents()).toEqual(whole)
  })

  test('a deleted project comes back with all below it, edits that wait there included', async () => {
    const { desk, a } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'edited' }))
    const project = desk.client.find('project', null, 'shop').id
    await valueOf(desk.handlers['projects.delete']({ seen: asShown, workspaceId, id: project }))
    expect(desk.client.contents()).toEqual({})
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label: 'Delete Shop' } })
    expect(desk.client.contents()).toEqual({ ...whole, 'shop/prod/A': 'edited' })
    expect(desk.client.queue().map((change) => change.kind)).toEqual(['update'])
  })

  const scratch = async ({ handlers, client }: Desk) => {
    const projectId = client.find('project', null, 'shop').id
    const { id } = await valueOf(handlers['environments.create']({ workspaceId, projectId, name: 'Scratch' }))
    await valueOf(handlers['import.apply']({ seen: asShown, workspaceId, environmentId: id, text: 'X=1\nY=2\n' }))
    return id
  }
  const withScratch = { ...whole, 'shop/scratch': '', 'shop/scratch/X': '1', 'shop/scratch/Y': '2' }

  test('an environment that was never sent is deleted with its variables before any of them is sent, and comes back with them', async () => {
    const { desk } = await shop()
    const id = await scratch(desk)
    const rows = desk.client.children('variable', id)
    await valueOf(desk.handlers['environments.delete']({ seen: asShown, workspaceId, id }))
    expect(desk.client.queue()).toEqual([])
    expect(desk.client.contents()).toEqual(whole)
    // Once the application has ended, only the history has what was typed.
    expect(rows.flatMap((row) => desk.client.historyOf(row.id))).toMatchObject([{ value: '1' }, { value: '2' }])
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label: 'Delete Scratch' } })
    expect(desk.client.contents()).toEqual(withScratch)
    await valueOf(redo(desk))
    expect(desk.client.queue()).toEqual([])
    await valueOf(undo(desk))
    expect(await onService(desk)).toEqual(withScratch)
  })

  test('a project that was never sent is deleted with all below it before any of it is sent', async () => {
    const { desk } = await shop()
    const { handlers } = desk
    const { id } = await valueOf(handlers['projects.create']({ workspaceId, name: 'Other' }))
    const { id: environmentId } = await valueOf(handlers['environments.create']({ workspaceId, projectId: id, name: 'Dev' }))
    await valueOf(handlers['import.apply']({ seen: asShown, workspaceId, environmentId, text: 'X=1\n' }))
    await valueOf(handlers['projects.delete']({ seen: asShown, workspaceId, id }))
    expect(desk.client.queue()).toEqual([])
    await valueOf(undo(desk))
    expect(await onService(desk)).toEqual({ ...whole, other: '', 'other/dev': '', 'other/dev/X': '1' })
  })

  const moveThere = ({ handlers }: Desk, environmentId: string, a: string): Promise<Result<unknown>> =>
    handlers['variables.copy-to']({ workspaceId, seen: asShown, rows: rowsAsShown([a]), environmentId, onTaken: 'skip', move: true })
  const saveVersion = ({ handlers }: Desk, environmentId: string): Promise<Result<unknown>> =>
    handlers['versions.create']({ workspaceId, environmentId, label: 'v1' })

  test.each([
    ['a variable that was moved there', moveThere],
    ['a version to save', saveVersion],
  ])('an environment that was never sent is sent and deleted when it has %s', async (_, fill) => {
    const { desk, a } = await shop()
    const id = await scratch(desk)
    await valueOf(fill(desk, id, a))
    await valueOf(desk.handlers['environments.delete']({ seen: asShown, workspaceId, id }))
    expect(desk.client.queue().at(-1)).toMatchObject({ kind: 'delete', rowKind: 'environment' })
    await desk.client.sync()
    expect(desk.client.queue()).toEqual([])
    expect(await onService(desk)).not.toHaveProperty('shop/scratch')
  })

  describe('a deleted environment in which the service had refused something', () => {
    /** The service answers every change with a refusal. */
    const refuse: Network = async (forward, { path, body = '' }) => {
      if (!path.endsWith('/changes') || body === '') return forward()
      const { changes } = JSON.parse(body) as { changes: { id: string }[] }
      const items = changes.map(({ id }) => ({ id, status: 'failed', code: 422, message: 'Not this.' }))
      return Response.json({ success: true, code: 200, message: 'OK', data: { items } })
    }
    const editA = ({ handlers }: Desk, _prod: string, id: string): Promise<Result<unknown>> =>
      handlers['variables.update']({ seen: asShown, workspaceId, id, value: 'refused' })

    /** Prod was deleted and came back, with the refused entry. */
    async function cameBack(entry: typeof editA): Promise<{ desk: Desk; changeId: string; redoAndUndo: () => Promise<void> }> {
      const { desk, prod, a } = await shop()
      await valueOf(entry(desk, prod, a))
      desk.client.network = refuse
      await desk.client.sync()
      desk.client.network = unreachable
      await valueOf(desk.handlers['environments.delete']({ seen: asShown, workspaceId, id: prod }))
      await valueOf(undo(desk))
      const [refused, ...others] = desk.client.queueRows()
      expect(refused).toMatchObject({ state: 'failed' })
      expect(others).toEqual([])
      const redoAndUndo = async () => {
        await valueOf(redo(desk))
        await valueOf(undo(desk))
      }
      return { desk, changeId: refused?.changeId ?? '', redoAndUndo }
    }

    test.each([
      ['an edit', editA],
      ['a version to save', saveVersion],
    ])('has %s once that was retried before the deletion was redone and undone', async (_, entry) => {
      const { desk, changeId, redoAndUndo } = await cameBack(entry)
      await valueOf(desk.handlers['queue.retry']({ workspaceId, changeId }))
      await redoAndUndo()
      expect(desk.client.queueRows()).toMatchObject([{ state: 'queued' }])
    })

    test('does not have a version to save that was discarded before the deletion was redone and undone', async () => {
      const { desk, changeId, redoAndUndo } = await cameBack(saveVersion)
      await valueOf(desk.handlers['queue.discard']({ workspaceId, changeId }))
      await redoAndUndo()
      expect(desk.client.queueRows()).toEqual([])
    })
  })

  test.each([
    ['A=9\nC=3\nD=4\n', 'Change 3 variables'],
    ['A=9\n', 'Change A'],
    ['C=3\n', 'Create C'],
  ])('an environment saved as the text %j is one step, named after its changes', async (text, label) => {
    const { desk, prod } = await shop()
    await valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId: prod, text, asText: true }))
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label } })
    expect(desk.client.contents()).toEqual(whole)
  })

  test('an import is one step', async () => {
    const { desk, prod } = await shop()
    await valueOf(desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId: prod, text: 'A=9\nC=3\nD=4\n' }))
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label: 'Import 3 variables' } })
    expect(desk.client.contents()).toEqual(whole)
    expect(desk.client.queue()).toEqual([])
    await valueOf(redo(desk))
    expect(desk.client.contents()).toEqual({ ...whole, 'shop/prod/A': '9', 'shop/prod/C': '3', 'shop/prod/D': '4' })
  })
})

describe('what was sent is reversed by a new change', () => {
  test('a value', async () => {
    const { desk, a } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'x' }))
    await desk.client.sync()
    await valueOf(undo(desk))
    expect(desk.client.queue()).toHaveLength(1)
    expect(await onService(desk)).toEqual(whole)
    await valueOf(redo(desk))
    expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'x' })
  })

  test('a deleted variable is created again, and what was done to it before can still be undone', async () => {
    const { desk, a } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'x' }))
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a]) }))
    await desk.client.sync()
    await valueOf(undo(desk))
    await valueOf(undo(desk))
    expect(await onService(desk)).toEqual(whole)
  })

  test('a variable whose environment was deleted, and created again by undo, is not the deleted one', async () => {
    const { desk, prod } = await shop()
    const { client, handlers } = desk
    await valueOf(handlers['environments.delete']({ seen: asShown, workspaceId, id: prod }))
    await client.sync()
    client.network = unreachable
    await valueOf(undoAndSync(desk))
    client.network = (forward) => forward()
    client.skew += 3_600_000
    await client.sync()
    expect(client.contents()).toEqual(whole)
    const again = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
    const a = client.find('variable', again, 'A').id
    client.setVariable(again, 'A', 'changed')
    await client.sync()
    await valueOf(handlers['variables.delete']({ workspaceId, rows: [{ id: a, seen: asShown }] }))
    await client.sync()
    client.engine.start()
    const [row] = await valueOf(handlers['deleted.list']({ workspaceId }))
    await valueOf(handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'service', slug: 'prod-2' }))
    await client.engine.stop()
    await valueOf(undoAndSync(desk))
    const { 'shop/prod/A': first } = whole
    expect(await onService(desk)).toMatchObject({ 'shop/prod/A': 'changed', 'shop/prod-2/A': first })
  })

  test('a deleted project is created again with its environments and variables', async () => {
    const { desk } = await shop()
    const project = desk.client.find('project', null, 'shop').id
    await valueOf(desk.handlers['projects.delete']({ seen: asShown, workspaceId, id: project }))
    await desk.client.sync()
    await valueOf(undoAndSync(desk))
    expect(desk.client.contents()).toEqual(whole)
    expect(await onService(desk)).toEqual(whole)
    await valueOf(redo(desk))
    expect(await onService(desk)).toEqual({})
  })

  describe.each(['environment', 'project'] as const)('a deleted %s', (kind) => {
    /** Production has a version, and an edit that was sent with its deletion. */
    async function deleted(): Promise<{ desk: Desk; prod: string; a: string }> {
      const { desk, prod, a } = await shop()
      const { client, handlers } = desk
      await valueOf(handlers['versions.create']({ workspaceId, environmentId: prod, label: 'first', note: '' }))
      await client.sync()
      client.network = unreachable
      client.setVariable(prod, 'A', 'last')
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      client.network = (forward) => forward()
      client.skew += 3_600_000
      await client.sync()
      expect(client.contents()).toEqual(kind === 'project' ? {} : { shop: '' })
      return { desk, prod, a }
    }
    const labels = ({ client }: Desk, prod: string) => client.versions(prod).rows.map(({ label }) => label)

    test('is restored with its versions', async () => {
      const { desk, prod, a } = await deleted()
      const undone = await valueOf(undoAndSync(desk))
      expect(undone).not.toHaveProperty('notice')
      // Or the window would undo the step before it as well.
      expect(undone).not.toHaveProperty('isIdle')
      expect(desk.client.find('variable', prod, 'A').id).toBe(a)
      expect(labels(desk, prod)).toEqual(['first'])
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'last' })
      await valueOf(redo(desk))
      expect(await onService(desk)).toEqual(kind === 'project' ? {} : { shop: '' })
      await valueOf(undoAndSync(desk))
      expect(labels(desk, prod)).toEqual(['first'])
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'last' })
    })

    test('that others have changed already keeps their values', async () => {
      const { desk, prod } = await deleted()
      const other = open()
      let isFirst = true
      desk.client.network = async (forward, request) => {
        const answer = await forward()
        if (!isFirst || !request.path.endsWith('/restore')) return answer
        isFirst = false
        await other.client.sync()
        const there = other.client.find('environment', other.client.find('project', null, 'shop').id, 'prod').id
        other.client.setVariable(there, 'A', 'theirs')
        await other.client.sync()
        return answer
      }
      await valueOf(undoAndSync(desk))
      expect(desk.client.find('environment', desk.client.find('project', null, 'shop').id, 'prod').id).toBe(prod)
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'theirs' })
    })

    test('that others changed, and then deleted while I was asked about it, comes back as they left it', async () => {
      const { desk, prod } = await shop()
      const { client, handlers } = desk
      const other = open()
      await other.client.sync()
      const theirs = other.client.find('project', null, 'shop').id
      const there = other.client.find('environment', theirs, 'prod').id
      other.client.setVariable(there, 'A', 'theirs')
      await other.client.sync()
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      await client.sync()
      expect(client.queue()).toMatchObject([{ kind: 'delete', state: 'conflict' }])
      await valueOf(other.handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id: kind === 'project' ? theirs : there }))
      await other.client.sync()
      await client.sync()
      expect(client.queue()).toEqual([])
      await valueOf(undoAndSync(desk))
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'theirs' })
    })

    test.each(['before it was undone', 'while it was being restored'])(
      'in which others deleted a variable %s comes back without that',
      async (when) => {
        const { desk, prod } = await shop()
        const { client, handlers } = desk
        const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
        await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
        await client.sync()
        const other = open()
        const deleteA = async () => {
          await other.client.sync()
          other.client.deleteVariable(other.client.find('environment', other.client.find('project', null, 'shop').id, 'prod').id, 'A')
          await other.client.sync()
        }
        if (when === 'before it was undone') {
          await other.client.sync()
          other.client.engine.start()
          const [row] = await valueOf(other.handlers['deleted.list']({ workspaceId }))
          await valueOf(other.handlers['deleted.restore']({ workspaceId, id: row?.id ?? '', from: 'service' }))
          await other.client.engine.stop()
          await deleteA()
          await client.sync()
        } else {
          let isFirst = true
          client.network = async (forward, request) => {
            const answer = await forward()
            if (!isFirst || !request.path.endsWith('/restore')) return answer
            isFirst = false
            await deleteA()
            return answer
          }
        }
        await valueOf(undoAndSync(desk))
        const { 'shop/prod/A': _deleted, ...rest } = whole
        expect(await onService(desk)).toEqual(rest)
      },
    )

    test('comes back with the rest of it by the next undo where I edited something meanwhile, and says so', async () => {
      const { desk, prod, a } = await shop()
      const { client, handlers } = desk
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      await client.sync()
      let isFirst = true
      client.network = async (forward, request) => {
        const answer = await forward()
        if (!isFirst || !request.path.endsWith('/restore')) return answer
        isFirst = false
        await valueOf(handlers['projects.create']({ workspaceId, name: 'Meanwhile', slug: 'meanwhile' }))
        return answer
      }
      expect(await valueOf(undoAndSync(desk))).toMatchObject({ notice: expect.stringContaining('meanwhile') })
      expect(client.shows(a)).toBe(true)
      await valueOf(undoAndSync(desk))
      await valueOf(undoAndSync(desk))
      expect(await onService(desk)).toEqual(whole)
    })

    test('that could not be restored is not called restored where I edited something meanwhile', async () => {
      const { desk, prod } = await shop()
      const { client, handlers } = desk
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      await client.sync()
      client.network = async (forward, { path }) => {
        if (!path.endsWith('/restore')) return forward()
        await valueOf(handlers['projects.create']({ workspaceId, name: 'Meanwhile' }))
        return Response.json({ success: false, code: 503, message: 'Busy.', data: {} }, { status: 503 })
      }
      const message = expect.stringContaining('Undo that edit first') as string
      expect(await undoAndSync(desk)).toEqual({ ok: false, error: { kind: 'invalid-input', message } })
      client.network = (forward) => forward()
      await valueOf(undo(desk))
      await valueOf(undoAndSync(desk))
      expect(await onService(desk)).toEqual(whole)
    })

    test('is restored once by two undos in a row, and the second is about the step before it', async () => {
      const { desk, a } = await deleted()
      desk.client.engine.start()
      const [first, second] = await Promise.all([undo(desk), undo(desk)])
      await desk.client.engine.stop()
      expect(first).toMatchObject({ ok: true })
      // A version that has been saved is not taken back.
      expect(second).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
      expect(desk.client.shows(a)).toBe(true)
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'last' })
    })

    test('that was restored once comes back with a question in it when a deletion that was not sent is undone', async () => {
      const { desk, prod } = await shop()
      const { client, handlers } = desk
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      await client.sync()
      await valueOf(undoAndSync(desk))
      const other = open()
      await other.client.sync()
      const there = other.client.find('environment', other.client.find('project', null, 'shop').id, 'prod').id
      other.client.setVariable(there, 'NEW', 'theirs')
      await other.client.sync()
      client.setVariable(prod, 'NEW', 'mine')
      await client.sync()
      expect(client.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'name-taken' } }])
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      await valueOf(undo(desk))
      await client.sync()
      expect(client.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'name-taken' } }])
      await other.client.sync()
      expect(other.client.contents()).toEqual({ ...whole, 'shop/prod/NEW': 'theirs' })
    })

    test('with a question in it comes back with the question', async () => {
      const { desk, prod, a } = await shop()
      const { client, handlers } = desk
      client.setVariable(prod, 'A', 'mine')
      const other = open()
      await other.client.sync()
      const there = other.client.find('environment', other.client.find('project', null, 'shop').id, 'prod').id
      other.client.setVariable(there, 'A', 'theirs')
      await other.client.sync()
      await client.sync()
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      await client.sync()
      const [deletion] = client.queue()
      client.resolve(deletion?.id ?? '', { take: 'mine' })
      await client.sync()
      expect(client.queue()).toEqual([])
      expect(client.contents()).toEqual(kind === 'project' ? {} : { shop: '' })
      await valueOf(undoAndSync(desk))
      await client.sync()
      expect(client.queue()).toMatchObject([{ rowId: a, state: 'conflict', conflict: { kind: 'fields' } }])
      await other.client.sync()
      expect(other.client.contents()).toEqual({ ...whole, 'shop/prod/A': 'theirs' })
    })

    test('is back once it can be read when the answer of the restore is the last that arrives', async () => {
      const { desk } = await deleted()
      let isBroken = false
      desk.client.network = (forward, { path }) => {
        if (isBroken) return Promise.reject(new TypeError('fetch failed'))
        isBroken = path.endsWith('/restore')
        return forward()
      }
      expect(await undoAndSync(desk)).toMatchObject({ ok: false, error: { kind: 'offline' } })
      desk.client.network = (forward) => forward()
      desk.client.skew += 3_600_000
      await desk.client.sync()
      await valueOf(undoAndSync(desk))
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'last' })
    })

    test('is created again without its versions where the service can’t be reached, and says who has them', async () => {
      const { desk, prod } = await deleted()
      desk.client.network = unreachable
      expect(await valueOf(undoAndSync(desk))).toMatchObject({ notice: expect.stringContaining('Restore deleted') })
      expect(labels(desk, prod)).toEqual([])
      desk.client.network = (forward) => forward()
      desk.client.skew += 3_600_000
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'last' })
    })
  })

  describe.each(['environment', 'project'] as const)('a deleted %s with a version, whose answer was lost,', (kind) => {
    /** Deletes it; `isDone`: the service does so. */
    async function deleted(isDone: boolean): Promise<{ desk: Desk; prod: string; a: string }> {
      const { desk, prod, a } = await shop()
      const { client, handlers } = desk
      await valueOf(handlers['versions.create']({ workspaceId, environmentId: prod, label: 'first', note: '' }))
      await client.sync()
      const id = kind === 'project' ? client.find('project', null, 'shop').id : prod
      await valueOf(handlers[`${kind}s.delete`]({ seen: asShown, workspaceId, id }))
      client.network = (forward, request) => {
        if (!sends(`delete ${kind}`, request)) return forward()
        client.network = unreachable
        return loseAnswer(isDone ? forward : () => Promise.resolve(new Response()), request)
      }
      await client.sync()
      expect(client.queue()).toMatchObject([{ kind: 'delete', state: 'sending' }])
      return { desk, prod, a }
    }
    const goOnline = async ({ client }: Desk) => {
      client.network = (forward) => forward()
      client.skew += 3_600_000
      await client.sync()
    }

    test.each([
      { isDone: true, first: 'undone' },
      { isDone: true, first: 'synced' },
      { isDone: false, first: 'undone' },
      { isDone: false, first: 'synced' },
    ])('comes back with its id, its variables and the version: done $isDone, first $first', async ({ isDone, first }) => {
      const { desk, prod, a } = await deleted(isDone)
      if (first === 'undone') {
        const message = expect.stringMatching(/^Can’t undo “Delete .* may already be deleted on the service/) as string
        expect(await undo(desk)).toMatchObject({ ok: false, error: { kind: 'invalid-input', message } })
      }
      await goOnline(desk)
      await valueOf(undoAndSync(desk))
      expect(await onService(desk)).toEqual(whole)
      expect([prodOf(desk), desk.client.find('variable', prod, 'A').id]).toEqual([prod, a])
      expect(desk.client.versions(prod).rows.map(({ label }) => label)).toEqual(['first'])
    })
  })

  test.each([['variable'], ['project']])(
    'a %s whose deletion is on its way comes back beside it, and loses nothing when it arrives',
    async (kind) => {
      const { desk, a } = await shop()
      const project = desk.client.find('project', null, 'shop').id
      if (kind === 'variable') await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a]) }))
      else await valueOf(desk.handlers['projects.delete']({ seen: asShown, workspaceId, id: project }))
      desk.client.network = (forward, request) => {
        if (request.method !== 'POST' || !request.path.endsWith('/changes')) return forward()
        desk.client.network = unreachable
        return loseAnswer(forward, request)
      }
      await desk.client.sync()
      expect(desk.client.queue()[0]?.state).toBe('sending')
      await valueOf(undo(desk))
      expect(desk.client.contents()).toEqual(whole)
      desk.client.network = (forward) => forward()
      desk.client.skew = 3_600_000
      expect(await onService(desk)).toEqual(whole)
      expect(desk.client.contents()).toEqual(whole)
      await valueOf(redo(desk))
      expect(await onService(desk)).toEqual(kind === 'variable' ? { shop: '', 'shop/prod': '', 'shop/prod/B': '2' } : {})
    },
  )
})

describe('what somebody else did meanwhile is never overwritten', () => {
  /** Another person does something, and it arrives at the service. */
  async function theyDo(act: (other: Desk['client'], prod: string) => void): Promise<void> {
    const { client: other } = open()
    await other.sync()
    act(other, other.find('environment', other.find('project', null, 'shop').id, 'prod').id)
    await other.sync()
  }

  /** Another person does something and it arrives here. */
  async function meanwhile(desk: Desk, act: (other: Desk['client'], prod: string) => void): Promise<void> {
    await desk.client.sync()
    await theyDo(act)
    await desk.client.sync()
  }

  /** A is "mine" here and "theirs" there, and waits for the decision. */
  async function inConflict(): Promise<{ desk: Desk; a: string }> {
    const { desk, a } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'mine' }))
    await theyDo((other, prod) => other.setVariable(prod, 'A', 'theirs'))
    await desk.client.sync()
    expect(desk.client.queue()).toMatchObject([{ kind: 'update', state: 'conflict' }])
    return { desk, a }
  }

  test('a step that they have undone already is passed over', async () => {
    const { desk, a, b } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: b, value: 'mine' }))
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'mine' }))
    await meanwhile(desk, (other, prod) => other.setVariable(prod, 'A', '1'))
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label: 'Change A', isIdle: true } })
    expect(desk.client.queue()).toEqual([])
    expect(await undo(desk)).toMatchObject({ ok: true, value: { label: 'Change B' } })
    expect(await onService(desk)).toEqual(whole)
  })

  test('a field they changed again is refused, and the step before it is next', async () => {
    const { desk, a, b } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: b, value: 'mine' }))
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'mine' }))
    await meanwhile(desk, (other, prod) => other.setVariable(prod, 'A', 'theirs'))
    expect(await undo(desk)).toEqual({
      ok: false,
      error: { kind: 'invalid-input', message: 'Can’t undo “Change A”. The variable “A” was changed since. Nothing was changed.' },
    })
    expect(desk.client.contents()['shop/prod/A']).toBe('theirs')
    expect(await undo(desk)).toMatchObject({ ok: true })
    expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'theirs' })
  })

  test('another field they changed stays, and mine goes back', async () => {
    const { desk, a, prod } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'mine' }))
    await meanwhile(desk, (other, place) => void other.renameVariable(place, 'A', 'AAA'))
    await valueOf(undo(desk))
    expect(desk.client.find('variable', prod, 'AAA').id).toBe(a)
    expect(await onService(desk)).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/AAA': '1', 'shop/prod/B': '2' })
  })

  test.each<[string, (other: Desk['client'], prod: string) => void, RegExp]>([
    ['deleted what I had edited', (other, prod) => other.deleteVariable(prod, 'A'), /“A” was deleted since/],
    ['edited what I had created', (other, prod) => other.setVariable(prod, 'C', 'theirs'), /“C” was changed since/],
  ])('they %s: refused', async (_what, act, message) => {
    const { desk, a, prod } = await shop()
    if (message.source.includes('“A”'))
      await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'mine' }))
    else
      await valueOf(
        desk.handlers['variables.create']({ workspaceId, environmentId: prod, name: 'C', value: 'mine', type: 'string', isSecret: false }),
      )
    await meanwhile(desk, act)
    const before = desk.client.contents()
    const refused = await undo(desk)
    expect(refused).toMatchObject({ ok: false, error: { kind: 'invalid-input', message: expect.stringMatching(message) } })
    expect(desk.client.contents()).toEqual(before)
    expect(await status(desk)).toEqual({ undo: null, redo: null })
  })

  test('they added a variable to the environment I had made: it is not deleted with it', async () => {
    const { desk } = await shop()
    const projectId = desk.client.find('project', null, 'shop').id
    const { id } = await valueOf(desk.handlers['environments.create']({ workspaceId, projectId, name: 'Dev' }))
    await meanwhile(desk, (other) => {
      const dev = other.find('environment', other.find('project', null, 'shop').id, 'dev').id
      other.setVariable(dev, 'THEIRS', '1')
    })
    const refused = await undo(desk)
    expect(refused).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('Something was added to the environment “Dev” since.') },
    })
    expect(desk.client.find('variable', id, 'THEIRS').kind).toBe('variable')
  })

  test('they took the name of what I had deleted', async () => {
    const { desk, a } = await shop()
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a]) }))
    await meanwhile(desk, (other, prod) => other.setVariable(prod, 'A', 'theirs'))
    const refused = await undo(desk)
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('Another variable is now named “A”.') } })
    expect(desk.client.contents()['shop/prod/A']).toBe('theirs')
  })

  test('what waited in an environment that has gone to another project since waits there again', async () => {
    const { desk, prod } = await shop()
    const { client, handlers } = desk
    // A service that creates no variables: the new one waits, blocked.
    client.network = only14
    client.setVariable(prod, 'C', '3')
    await client.sync()
    client.skew = 3_600_000
    await client.sync()
    expect(client.queue()).toMatchObject([{ state: 'blocked' }])
    await theyDo((other) => other.deleteParent('project', other.find('project', null, 'shop').id))
    await client.sync()
    const question = () => client.queue().find(({ state }) => state === 'conflict')?.id ?? expect.fail('no conflict')
    client.resolve(question(), { take: 'edit', fields: { name: 'Mine' } })
    client.setVariable(prod, 'D', '4')
    await client.sync()
    await valueOf(handlers['environments.delete']({ seen: asShown, workspaceId, id: prod }))
    const { client: other } = open()
    other.createProject('Shop')
    await other.sync()
    await client.sync()
    client.resolve(question(), { take: 'edit', fields: { name: 'Mine', slug: 'mine' } })
    await valueOf(undo(desk))
    expect(client.contents()).toEqual({ shop: '', mine: '', 'mine/prod': '', 'mine/prod/C': '3', 'mine/prod/D': '4' })
    const paths = client.queue().flatMap(({ rowKind, ancestors }) => (rowKind === 'variable' ? [ancestors] : []))
    const path = [prod, client.find('project', null, 'mine').id]
    expect(paths).toEqual([path, path])
  })

  test('a row in conflict waits for the decision, and the step stays', async () => {
    const { desk } = await inConflict()
    const refused = await undo(desk)
    expect(refused).toMatchObject({ ok: false, error: { message: expect.stringContaining('is in conflict') } })
    expect((await status(desk)).undo).toBe('Change A')
  })

  const answered = [
    ['a value', { value: 'mine 2' }],
    ['a name', { name: 'AA' }],
    ['a secrecy', { isSecret: true }],
  ] as const
  test.each(answered.flatMap(([what, edit]) => [false, true].map((isSent) => ({ what, edit, isSent }))))(
    'what I gave a row in conflict, $what, goes back without a question after I have answered (sent: $isSent)',
    async ({ edit, isSent }) => {
      const { desk, a } = await inConflict()
      const [before] = desk.client.children('variable', prodOf(desk))
      await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, ...edit }))
      await valueOf(resolveAsShown(desk.handlers, { changeId: desk.client.queue()[0]?.id ?? '', choice: { take: 'mine' } }))
      if (isSent) await desk.client.sync()
      await valueOf(undo(desk))
      expect(desk.client.children('variable', prodOf(desk))[0]?.fields).toEqual(before?.fields)
      expect(await onService(desk)).toEqual({ ...whole, 'shop/prod/A': 'mine' })
    },
  )

  test('a row in conflict that was deleted comes back with its question, and mine does not go over theirs', async () => {
    const { desk, a } = await inConflict()
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a]) }))
    await valueOf(undo(desk))
    expect(desk.client.queue()).toMatchObject([{ kind: 'update', state: 'conflict', conflict: { kind: 'fields' } }])
    await desk.client.sync()
    expect(desk.client.contents()['shop/prod/A']).toBe('mine')
    expect(desk.client.queue()).toMatchObject([{ state: 'conflict' }])
  })

  test('a row in conflict that was typed back to what it was, and deleted, comes back as theirs', async () => {
    const { desk, a, prod } = await shop()
    const set = (value: string) => valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value }))
    await set('mine')
    // It keeps what is typed before it and after it apart.
    await valueOf(desk.handlers['versions.create']({ workspaceId, environmentId: prod }))
    await set('1')
    await theyDo((other, place) => other.setVariable(place, 'A', 'theirs'))
    await desk.client.sync()
    expect(desk.client.queue().filter(({ rowId }) => rowId === a)).toMatchObject([{ state: 'conflict' }, { state: 'queued' }])
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a]) }))
    await valueOf(undo(desk))
    expect((await onService(desk))['shop/prod/A']).toBe('theirs')
  })

  test('a row in conflict whose name was made theirs before it was deleted comes back without a question that is none', async () => {
    const { desk, a, b, prod } = await shop()
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, name: 'MINE', value: 'mine' }))
    await theyDo((other, place) => void other.renameVariable(place, 'A', 'THEIRS'))
    await desk.client.sync()
    expect(desk.client.queue()).toMatchObject([{ kind: 'update', state: 'conflict' }])
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, name: 'THEIRS' }))
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([a]) }))
    await valueOf(undo(desk))
    expect(desk.client.queue()).toMatchObject([{ kind: 'update', state: 'queued' }])
    expect(desk.client.find('variable', prod, 'THEIRS').id).toBe(a)
    expect(desk.client.find('variable', prod, 'B').id).toBe(b)
    expect(await onService(desk)).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/THEIRS': 'mine', 'shop/prod/B': '2' })
  })
})
