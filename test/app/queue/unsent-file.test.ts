import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { queueHandlers } from '../../../electron/app/queue/queue-handlers.ts'
import { allEntries } from '../../../electron/mirror/queue-layer.ts'
import { readUnsentFile, writeUnsentFile } from '../../../electron/app/queue/unsent-file.ts'
import { createWorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { asShown } from '../../support/as-shown.ts'
import { deskOf } from '../../support/desk.ts'
import { createSyncStage } from '../../support/sync-stage.ts'
import { valueOf } from '../../support/value-of.ts'
import { Person } from '../seen/two-people.ts'

const desks: OfflineDesk[] = []
afterEach(() => {
  for (const desk of desks.splice(0)) desk.close()
})

const key = randomBytes(32)

function open(of: Uint8Array = key): OfflineDesk & { queue: ReturnType<typeof queueHandlers> } {
  const desk = createOfflineDesk()
  desks.push(desk)
  desk.keys.cipher = createWorkspaceCipher(of)
  return { ...desk, queue: queueHandlers(desk.context) }
}

/** A user offline with a project, an environment and three variables, one of them with line breaks and an emoji in it. */
async function withEdits() {
  const desk = open()
  const [environmentId = ''] = await desk.environments('Production')
  await desk.add(environmentId, 'PORT', '8080', { type: 'number' })
  await desk.add(environmentId, 'SECRET', 'two\nlines 🗺️ "quoted"', { isSecret: true })
  await desk.add(environmentId, 'EMPTY', '')
  return { desk, environmentId }
}

describe('unsent edits as a file', () => {
  test('can be read again, however many they are and however long their names', async () => {
    const editOf = (name: string) =>
      ({ kind: 'create', subject: 'project', key: name, set: { name }, whole: { name }, madeAt: '' }) as const
    const edits = [editOf('🗺️'.repeat(200)), ...Array.from({ length: 200_000 }, () => editOf('A'))]
    const head = { holdfast: 'unsent-edits', version: 1, workspace: { name: 'Ours', id: 'w' } } as const
    const read = await readUnsentFile(await writeUnsentFile({ ...head, requests: [], edits }))
    expect(read?.edits.length).toBe(200_001)
  })

  test('are written sealed, and make the same variables again in another Holdfast with the same key', async () => {
    const { desk, environmentId } = await withEdits()
    const file = await valueOf(desk.queue['queue.export']({ workspaceId, format: 'json' }))
    expect(file).toMatchObject({ edits: 5, refused: [] })
    expect(file.text).not.toContain('8080')
    expect(file.text).not.toContain('quoted')
    const other = open()
    expect(await valueOf(other.queue['queue.apply']({ workspaceId, text: file.text, seen: asShown }))).toEqual({ applied: 5, skipped: [] })
    const [environment] = await valueOf(other.handlers['environments.list']({ workspaceId }))
    expect(await other.read(environment?.id ?? '')).toEqual(await desk.read(environmentId))
    // Once more changes nothing.
    expect(await valueOf(other.queue['queue.apply']({ workspaceId, text: file.text, seen: asShown }))).toEqual({ applied: 5, skipped: [] })
    expect(await valueOf(other.queue['queue.list']({ workspaceId }))).toHaveLength(5)
    expect(await valueOf(other.handlers['undo.status']({ workspaceId }))).toMatchObject({ undo: 'Apply 5 changes from a file' })
  })

  test.each([
    ['on one line', (text: string) => JSON.stringify(JSON.parse(text))],
    ['with indents', (text: string) => JSON.stringify(JSON.parse(text), null, 2)],
    ['with line ends of Windows', (text: string) => text.replaceAll('\n', '\r\n')],
    ['without a line end', (text: string) => text.trim()],
  ])('are read where an editor saved the file %s', async (_how, saved) => {
    const { desk } = await withEdits()
    const { text } = await valueOf(desk.queue['queue.export']({ workspaceId, format: 'json' }))
    const other = open()
    expect(await valueOf(other.queue['queue.apply']({ workspaceId, text: saved(text), seen: asShown }))).toEqual({
      applied: 5,
      skipped: [],
    })
  })

  test('can be written while keys are locked, but not read', async () => {
    const { desk } = await withEdits()
    desk.keys.cipher = null
    expect(await valueOf(desk.queue['queue.export']({ workspaceId, format: 'json' }))).toMatchObject({ edits: 5 })
    expect(await desk.queue['queue.export']({ workspaceId, format: 'env' })).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  })

  test('sealed under another key are named, and nothing of them is applied', async () => {
    const { desk } = await withEdits()
    const { text } = await valueOf(desk.queue['queue.export']({ workspaceId, format: 'json' }))
    const other = open(randomBytes(32))
    const { applied, skipped } = await valueOf(other.queue['queue.apply']({ workspaceId, text, seen: asShown }))
    expect(applied).toBe(2)
    expect(skipped.map(({ name }) => name).toSorted()).toEqual(['EMPTY', 'PORT', 'SECRET'])
  })

  test('are read as .env, with what is no value in comments', async () => {
    const { desk, environmentId } = await withEdits()
    await valueOf(desk.handlers['environments.update']({ seen: asShown, workspaceId, id: environmentId, name: 'Live\n#PORT=1' })).catch(
      () => undefined,
    )
    const { text } = await valueOf(desk.queue['queue.export']({ workspaceId, format: 'env', environmentId }))
    expect(text).toContain('PORT=8080')
    expect(text).toContain('# Created the environment')
    expect(text).toMatch(/^# Shop \/ /m)
  })

  test('of one environment leave the others out', async () => {
    const { desk } = await withEdits()
    const projects = await valueOf(desk.handlers['projects.list']({ workspaceId }))
    const { id } = await valueOf(desk.handlers['environments.create']({ workspaceId, projectId: projects[0]?.id ?? '', name: 'Staging' }))
    await desk.add(id, 'ONLY_HERE', '1')
    const { edits, text } = await valueOf(desk.queue['queue.export']({ workspaceId, format: 'json', environmentId: id }))
    expect(edits).toBe(2)
    expect(text).toContain('ONLY_HERE')
    expect(text).not.toContain('PORT')
  })

  describe('that are saved in more than one part', () => {
    const many = 600
    const text = Array.from({ length: many }, (_, n) => `MANY_${n}=${n}\n`).join('')
    const withMany = async () => {
      const { desk, environmentId } = await withEdits()
      await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId, text, seen: asShown }))
      const read = await desk.read(environmentId)
      return { ...(await valueOf(desk.queue['queue.export']({ workspaceId, format: 'json' }))), read }
    }
    const all = many + 5

    test('are one step of undo', async () => {
      const { text, read } = await withMany()
      const other = open()
      expect(await valueOf(other.queue['queue.apply']({ workspaceId, text, seen: asShown }))).toEqual({ applied: all, skipped: [] })
      const [environment] = await valueOf(other.handlers['environments.list']({ workspaceId }))
      expect(await other.read(environment?.id ?? '')).toEqual(read)
      await valueOf(other.handlers['undo.undo']({ workspaceId }))
      expect(await valueOf(other.queue['queue.list']({ workspaceId }))).toEqual([])
      expect(await valueOf(other.handlers['undo.status']({ workspaceId }))).toMatchObject({ undo: null })
    })

    /** Applies a file, with something that happens after the part that makes its first rows; on a busy computer that is not the first one. */
    const applyWith = async (after: (other: ReturnType<typeof open>) => void, file: Promise<{ text: string }> = withMany()) => {
      const { text } = await file
      const other = open()
      const { emit } = other.context
      let isDone = false
      vi.spyOn(other.context, 'emit').mockImplementation((push) => {
        emit(push)
        if (isDone || other.session.mirror.snapshot(allEntries).length < 10) return
        isDone = true
        after(other)
      })
      return { other, applied: other.queue['queue.apply']({ workspaceId, text, seen: asShown }) }
    }
    const queueOf = (of: ReturnType<typeof open>) => valueOf(of.queue['queue.list']({ workspaceId }))
    const undoOf = async (of: ReturnType<typeof open>) => (await valueOf(of.handlers['undo.status']({ workspaceId }))).undo
    const full = () => {
      throw Object.assign(new Error('full'), { code: 'SQLITE_FULL' })
    }

    test('are taken back if the keys are locked meanwhile', async () => {
      const { other, applied } = await applyWith(({ keys }) => (keys.cipher = null))
      expect(await applied).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
      expect(await queueOf(other)).toEqual([])
      expect(await undoOf(other)).toBeNull()
    })

    test('are taken back but for what the user has changed meanwhile, with the places of the others', async () => {
      const { desk } = await withEdits()
      const [staging = ''] = await desk.environments('Staging')
      await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId: staging, text, seen: asShown }))
      let changed: Promise<unknown> = Promise.resolve()
      const change = async ({ handlers, keys }: OfflineDesk): Promise<void> => {
        const [first] = await valueOf(handlers['environments.list']({ workspaceId }))
        const place = { workspaceId, environmentId: first?.id ?? '' }
        const [port] = (await valueOf(handlers['variables.page']({ ...place, filter: 'PORT', offset: 0, limit: 1 }))).rows
        await valueOf(handlers['variables.update']({ workspaceId, id: port?.id ?? '', seen: port?.rev ?? 0, value: '9090' }))
        keys.cipher = null
      }
      const { other, applied } = await applyWith(
        (opened) => void (changed = change(opened)),
        valueOf(desk.queue['queue.export']({ workspaceId, format: 'json' })),
      )
      expect((await applied).ok).toBe(false)
      await changed
      const left = await queueOf(other)
      expect(left.map(({ name }) => name).toSorted()).toEqual(['PORT', 'Production', 'Shop'])
    })

    test('are taken back if the disk is full for a moment', async () => {
      const { other, applied } = await applyWith(({ session }) => vi.spyOn(session.mirror, 'write').mockImplementationOnce(full))
      await expect(applied).rejects.toThrow('full')
      expect(await queueOf(other)).toEqual([])
      expect(await undoOf(other)).toBeNull()
    })

    test('can be undone by the user if the disk stays full', async () => {
      const { other, applied } = await applyWith(({ session }) => vi.spyOn(session.mirror, 'write').mockImplementation(full))
      const failed = await applied
      vi.restoreAllMocks()
      const queued = (await queueOf(other)).length
      expect(queued).toBeGreaterThan(0)
      expect(failed).toMatchObject({ ok: false, error: { kind: 'disk-full' } })
      expect(await undoOf(other)).toBe(`Apply ${queued} changes from a file`)
      await valueOf(other.handlers['undo.undo']({ workspaceId }))
      expect(await queueOf(other)).toEqual([])
    })

    test('are two steps of undo if the last part edits a row of the first', async () => {
      const { text } = await withMany()
      const file = JSON.parse(text) as { edits: { [field: string]: unknown; key: string }[] }
      const first = file.edits.find(({ key: name }) => name === 'PORT')
      file.edits.push({ ...structuredClone(first), kind: 'update', key: 'PORT', set: { name: 'HARBOUR' } })
      const other = open()
      await valueOf(other.queue['queue.apply']({ workspaceId, text: JSON.stringify(file), seen: asShown }))
      const [environment] = await valueOf(other.handlers['environments.list']({ workspaceId }))
      const read = () => other.read(environment?.id ?? '')
      expect(await read()).toHaveProperty('HARBOUR', '8080')
      await valueOf(other.handlers['undo.undo']({ workspaceId }))
      expect(await read()).toHaveProperty('PORT', '8080')
      await valueOf(other.handlers['undo.undo']({ workspaceId }))
      expect(await valueOf(other.queue['queue.list']({ workspaceId }))).toEqual([])
    })
  })

  test.each(['', 'PORT=1', '{}', '[]', '{"holdfast":"unsent-edits","version":2}', 'null', '{"a":1,"edits":[\n{"b":2},\n{\n]}\n'])(
    '%j is no such file, and says so',
    async (text) => {
      expect(await open().queue['queue.apply']({ workspaceId, text, seen: asShown })).toMatchObject({
        ok: false,
        error: { kind: 'invalid-input' },
      })
    },
  )
})

describe('edits below a project or environment whose slug changes', () => {
  const stage = createSyncStage()

  async function person(): Promise<Person> {
    const one = new Person(deskOf(stage.open()))
    await one.sync()
    return one
  }
  const slugOf = (who: Person, id: string, slug: string) =>
    valueOf(who.handlers['environments.update']({ workspaceId, id, seen: asShown, slug }))

  test.each([
    {
      what: 'an environment that gets another slug later',
      edit: async (me: Person) => {
        me.set('prod', 'B', 'mine')
        await slugOf(me, me.environmentId('prod'), 'live')
        me.set('live', 'C', 'mine')
      },
    },
    {
      what: 'a project that gets another slug later',
      edit: async (me: Person) => {
        const { id } = me.desk.client.find('project', null, 'shop')
        me.set('prod', 'B', 'mine')
        await valueOf(me.handlers['projects.update']({ workspaceId, id, seen: asShown, slug: 'store' }))
      },
    },
    {
      what: 'environments that exchange their slugs later',
      isOnce: true,
      edit: async (me: Person) => {
        const [prod, dev] = [me.environmentId('prod'), me.environmentId('dev')]
        me.set('prod', 'B', 'mine')
        await slugOf(me, prod, 'x')
        await slugOf(me, dev, 'prod')
        await slugOf(me, prod, 'dev')
      },
    },
  ])('are applied to $what', async ({ edit, isOnce = false }) => {
    const owner = await person()
    owner.desk.client.createProject('Shop')
    for (const name of ['Prod', 'Dev']) owner.desk.client.createEnvironment('shop', name)
    owner.set('prod', 'B', 'of prod')
    owner.set('dev', 'B', 'of dev')
    await owner.sync()
    const [me, them] = [await person(), await person()]
    await edit(me)
    const { text } = await valueOf(me.handlers['queue.export']({ workspaceId, format: 'json' }))
    for (let times = 0; times < (isOnce ? 1 : 2); times += 1) {
      expect(await valueOf(them.handlers['queue.apply']({ workspaceId, text, seen: asShown }))).toMatchObject({ skipped: [] })
      expect(them.contents()).toEqual(me.contents())
    }
  })
})
