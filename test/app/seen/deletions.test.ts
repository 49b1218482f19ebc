import { describe, expect, test } from 'vitest'
import { addEntry, advance } from '../../../electron/mirror/queue-layer.ts'
import { refreshRow } from '../../../electron/mirror/working-layer.ts'
import { sends, type Network } from '../../support/build-client.ts'
import { createMeeting, moveTo, workspaceId, type Person } from './two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const meet = createMeeting()
/** A person saves a version of an environment. */
const saveVersion = async (by: Person, label: string, slug = 'prod') =>
  valueOf(by.handlers['versions.create']({ workspaceId, environmentId: by.environmentId(slug), label, note: '' }))

const remove = (person: Person, rows: readonly { id: string; rev: number }[]) =>
  person.handlers['variables.delete']({ workspaceId, rows: rows.map(({ id, rev }) => ({ id, seen: rev })) })

/** Takes back the one change that waits for its user. */
async function giveUp(me: Person, how: 'queue.discard' | 'undo.undo'): Promise<void> {
  const [question] = await me.conflicts()
  if (question === undefined) throw new Error('no question')
  await valueOf(how === 'undo.undo' ? me.handlers[how]({ workspaceId }) : me.handlers[how]({ workspaceId, changeId: question.changeId }))
}

/** The request is gone on its way, and nobody here can know. */
const vanishing: Network = () =>
  Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) }))

describe('a variable deleted', () => {
  test('that they changed since it was shown is a question, and theirs stays', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(remove(me, [shown]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', was: 'one', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('in conflict takes nothing of theirs along until it is said so', async () => {
    const { me, them, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    them.set('prod', 'X', 'theirs')
    await them.sync()
    await me.sync()
    expect(await me.question()).toMatchObject({ kind: 'fields' })
    await valueOf(remove(me, [await me.row('prod', 'X')]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', was: 'one', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('that met another of its name takes nothing of theirs along either', async () => {
    const { me, them, bothSync } = await meet()
    me.set('prod', 'NEW', 'mine')
    them.set('prod', 'NEW', 'theirs')
    await them.sync()
    await me.sync()
    expect(await me.question()).toMatchObject({ kind: 'name-taken' })
    await valueOf(remove(me, [await me.row('prod', 'NEW')]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'NEW')).toBe('theirs')
  })

  test('over which an import asks, because others gave it that name, takes nothing of theirs along', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const input = { workspaceId, environmentId: me.environmentId('prod'), text: 'NEW=mine', format: 'env', mode: 'merge' } as const
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    const { id } = await them.row('prod', 'X')
    await theyDo(() => {
      them.desk.client.updateVariable(id, { name: 'NEW', value: 'theirs' })
    })
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
    await valueOf(remove(me, [await me.row('prod', 'NEW')]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'NEW')).toBe('theirs')
  })

  test('on a screen from before its edit in conflict was discarded asks about theirs', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const shown = await me.row('prod', 'X')
    await giveUp(me, 'queue.discard')
    await valueOf(remove(me, [shown]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('whose value was typed behind a rename in question, over one never shown, takes nothing of theirs along', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id, rev: seen } = await me.row('prod', 'X')
    me.desk.client.updateVariable(id, { name: 'TAKEN' })
    await theyDo(() => them.set('prod', 'TAKEN', 'another'))
    expect(await me.question()).toMatchObject({ kind: 'name-taken' })
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    // An edit of the variable that has the name keeps the two edits of this one apart in the queue.
    const other = (await me.rows('prod')).find((row) => row.name === 'TAKEN' && row.id !== id)
    me.desk.client.updateVariable(other?.id ?? '', { value: 'edited' })
    // The editor was opened before theirs came.
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, name: 'FREE', value: 'mine' }))
    const shown = (await me.rows('prod')).find((row) => row.id === id) ?? { id, rev: 0 }
    await valueOf(remove(me, [shown]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', was: 'one', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('in conflict by a "replace" import takes nothing of theirs along', async () => {
    const { me, them, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    them.set('prod', 'X', 'theirs')
    await them.sync()
    await me.sync()
    const input = { workspaceId, environmentId: me.environmentId('prod'), text: 'Z=1', format: 'env', mode: 'replace' } as const
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('that was moved away by its user, and changed meanwhile, moves with what others made of it', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'MOVED', 'one')
    await me.sync()
    await them.sync()
    const shown = await me.row('prod', 'MOVED')
    const { rev: seen } = await me.environment('dev')
    await theyDo(() => them.set('prod', 'MOVED', 'theirs'))
    const rows = [{ id: shown.id, seen: shown.rev }]
    const environmentId = me.environmentId('dev')
    await valueOf(me.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'skip', move: true }))
    await bothSync()
    await bothSync()
    expect(them.value('prod', 'MOVED')).toBeUndefined()
    expect(them.value('dev', 'MOVED')).toBe('theirs')
    expect(await me.conflicts()).toEqual([])
  })

  test('that others moved elsewhere since it was shown is a question', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'MOVED', 'one')
    await bothSync()
    await them.sync()
    const shown = await me.row('prod', 'MOVED')
    await theyDo(async () => moveTo(them, 'dev', await them.row('prod', 'MOVED')))
    await valueOf(remove(me, [shown]))
    await bothSync()
    expect([them.value('dev', 'MOVED'), (await me.question()).kind]).toEqual(['one', 'changed-remotely'])
  })

  test('to make room for one that others moved elsewhere since is not deleted: its move may never happen', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.desk.client.createEnvironment('shop', 'Third')
    await bothSync()
    const { id, rev } = await me.row('prod', 'X')
    await theyDo(async () => {
      const row = await them.row('prod', 'X')
      const { id: environmentId, rev: seen } = await them.environment('third')
      const rows = [{ id: row.id, seen: row.rev }]
      await valueOf(them.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'skip', move: true }))
    })
    const there = them.value('dev', 'X')
    const { id: environmentId, rev: seen } = await me.environment('dev')
    const rows = [{ id, seen: rev }]
    const done = await valueOf(
      me.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'overwrite', move: true }),
    )
    expect(done).toEqual({ copied: 0, skipped: 1, overwritten: 0 })
    await bothSync()
    expect([them.value('dev', 'X'), them.value('third', 'X')]).toEqual([there, 'one'])
  })

  test.each([
    ['moved', true],
    ['copied', false],
  ] as const)('to make room for another of its name that is %s with it stays', async (_what, move) => {
    const { me, them, theyDo } = await meet()
    me.set('prod', 'MOVED', 'one')
    await me.sync()
    await them.sync()
    me.set('dev', 'MOVED', 'mine')
    await theyDo(async () => {
      const { id, rev } = await them.row('prod', 'MOVED')
      const { id: environmentId, rev: seen } = await them.environment('dev')
      const rows = [{ id, seen: rev }]
      await valueOf(them.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'skip', move: true }))
    })
    const both = () => me.desk.client.children('variable', me.environmentId('dev')).filter(({ fields }) => fields.name === 'MOVED')
    const { rev: seen } = await me.environment('dev')
    const rows = both().map(({ id }) => ({ id, seen }))
    const environmentId = me.environmentId('prod')
    const done = await valueOf(me.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'overwrite', move }))
    expect(done).toEqual({ copied: 1, skipped: 1, overwritten: 0 })
    expect(both()).toHaveLength(move ? 1 : 2)
  })

  test('that they changed since it was shown is not deleted by redo once the question was taken back', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(remove(me, [shown]))
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    expect(await me.handlers['undo.redo']({ workspaceId })).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('The variable “X” was changed since. Nothing was changed.') },
    })
    expect(me.desk.client.queue()).toEqual([])
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('behind a rename in question that its user gives up in the end asks about what came meanwhile', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id } = await me.row('prod', 'X')
    me.desk.client.updateVariable(id, { name: 'TAKEN' })
    me.desk.client.network = (forward, request) => (sends('update variable', request) ? vanishing(forward, request) : forward())
    await me.sync()
    await valueOf(remove(me, [await me.row('prod', 'TAKEN')]))
    await theyDo(() => {
      them.desk.client.updateVariable(them.desk.client.find('variable', them.environmentId('prod'), 'X').id, { name: 'Y', value: 'theirs' })
      them.set('prod', 'TAKEN', 'another')
    })
    me.desk.client.network = (forward) => forward()
    await me.sync()
    const answer = async (kind: string, take: 'mine' | 'theirs') => {
      const [question] = await me.conflicts()
      if (question?.kind !== kind) throw new Error(`asked about ${question?.kind}`)
      const { changeId, fingerprint } = question
      await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take } }))
    }
    await answer('fields', 'mine')
    await me.sync()
    await answer('name-taken', 'theirs')
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', was: 'one', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'Y')).toBe('theirs')
  })

  test('with its edit in question, and back, is not what an editor from before showed', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const { id, rev: seen } = await me.row('prod', 'X')
    await valueOf(remove(me, [{ id, rev: seen }]))
    const [question] = await me.conflicts()
    if (question === undefined) throw new Error('no question')
    const { changeId, fingerprint } = question
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
    await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: me.desk.client.queue()[0]?.id ?? '' }))
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'typed over mine' }))
    expect(await me.question()).toMatchObject({ mine: 'typed over mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('that is to be created again takes what is typed instead of the deletion', async () => {
    const { me } = await meet()
    me.set('prod', 'NEW', 'made')
    const { client } = me.desk
    const row = client.find('variable', me.environmentId('prod'), 'NEW')
    client.mirror.write((tx) => {
      const { ancestors, patch } = client.queue()[0] ?? { ancestors: [], patch: {} }
      const gone = { kind: 'delete' as const, rowKind: 'variable' as const, rowId: row.id, ancestors, patch: {}, base: null }
      const deletion = addEntry(tx, { ...gone, id: 'deletion', remoteId: null, leaves: [], seen: null, createdAt: 0 })
      advance(tx, deletion, { is: 'park', conflict: { kind: 'changed-remotely', remote: patch, by: null }, reason: '' })
      refreshRow(tx, row.id)
    })
    const [question] = await me.conflicts()
    if (question === undefined) throw new Error('no question')
    const { changeId, fingerprint } = question
    const choice = { take: 'edit' as const, fields: { value: 'typed' } }
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice }))
    expect([me.value('prod', 'NEW'), client.queue()]).toMatchObject(['typed', [{ kind: 'create' }]])
  })

  test('and undone after they changed it comes back as they made it, and theirs stays', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    await valueOf(remove(me, [await me.row('prod', 'X')]))
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', was: 'one', theirs: 'theirs' })
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    expect([me.value('prod', 'X'), me.desk.client.queue()]).toEqual(['theirs', []])
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('because its creation was undone, and created again by redo after they changed it, stays as they made it', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const variable = { name: 'C', value: '3', type: 'string', isSecret: false } as const
    await valueOf(me.handlers['variables.create']({ workspaceId, environmentId: me.environmentId('prod'), ...variable }))
    await bothSync()
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    await theyDo(() => them.set('prod', 'C', 'theirs'))
    await valueOf(me.handlers['undo.redo']({ workspaceId }))
    await bothSync()
    expect([them.value('prod', 'C'), await me.conflicts()]).toEqual(['theirs', []])
  })

  test('that nobody else touched goes at once', async () => {
    const { me, them, bothSync } = await meet()
    await valueOf(remove(me, await me.rows('prod')))
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual([undefined, []])
  })
})

describe('a project or environment deleted', () => {
  const projectOf = (person: Person): string => person.desk.client.find('project', null, 'shop').id
  const deleteParent = async (me: Person, kind: 'projects' | 'environments', shown: { id: string; rev: number }) =>
    me.handlers[`${kind}.delete`]({ workspaceId, id: shown.id, seen: shown.rev })

  test.each(['projects', 'environments'] as const)(
    'one of the %s is refused with what is new there, and goes once that was seen',
    async (kind) => {
      const { me, them, theyDo, bothSync } = await meet()
      const shown = async () => (kind === 'projects' ? me.project() : me.environment('prod'))
      const first = await shown()
      await theyDo(() => {
        them.set('prod', 'X', 'theirs')
        them.set('prod', 'NEW', 'a')
        them.set('prod', 'NEWER', 'b')
      })
      const refused = await deleteParent(me, kind, first)
      expect(refused).toMatchObject({ ok: false, error: { kind: 'outdated' } })
      expect(refused.ok ? '' : refused.error.message).toContain('2 variables were added and 1 variable was changed here')
      expect(me.desk.client.queue()).toEqual([])
      await valueOf(deleteParent(me, kind, await shown()))
      await bothSync()
      expect(them.value('prod', 'NEW')).toBeUndefined()
    },
  )

  test.each([
    { did: 'added', act: (them: Person) => them.handlers['environments.create']({ workspaceId, projectId: projectOf(them), name: 'New' }) },
    {
      did: 'changed',
      async act(them: Person) {
        const { id, rev } = await them.environment('dev')
        return them.handlers['environments.update']({ workspaceId, id, seen: rev, name: 'Theirs' })
      },
    },
  ])('with an environment that others $did since is refused, or asks once sync finds that', async ({ did, act }) => {
    for (const hasSynced of [true, false]) {
      const { me, them, bothSync } = await meet()
      const shown = await me.project()
      expect(await act(them)).toMatchObject({ ok: true })
      await them.sync()
      if (hasSynced) await me.sync()
      const done = await deleteParent(me, 'projects', shown)
      const words = `1 environment was ${did}`
      if (hasSynced) expect(done).toMatchObject({ ok: false, error: { message: expect.stringContaining(words) } })
      await bothSync()
      expect((await me.conflicts()).map(({ news }) => news?.words)).toEqual(hasSynced ? [] : [words])
      expect(them.value('prod', 'X')).toBe('one')
    }
  })

  test.each(['projects', 'environments'] as const)(
    'one of the %s is refused with a version that others saved since, and asks about one that sync finds',
    async (kind) => {
      const { me, them, theyDo, bothSync } = await meet()
      const shown = async () => (kind === 'projects' ? me.project() : me.environment('prod'))
      const first = await shown()
      await theyDo(() => saveVersion(them, 'theirs'))
      const refused = await deleteParent(me, kind, first)
      expect(refused.ok ? '' : refused.error.message).toContain('1 version was added here')
      expect(me.desk.client.queue()).toEqual([])

      const second = await shown()
      await saveVersion(me, 'mine')
      await me.sync()
      await saveVersion(them, 'unseen')
      await them.sync()
      await valueOf(deleteParent(me, kind, second))
      await me.sync()
      const [question] = await me.conflicts()
      expect(question).toMatchObject({ kind: 'changed-below', news: { words: '1 version was added' } })
      const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
      await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
      await bothSync()
      expect(them.value('prod', 'X')).toBeUndefined()
    },
  )

  test.each(['projects', 'environments'] as const)(
    'one of the %s that was undone is not deleted again with a version that others saved meanwhile',
    async (kind) => {
      const { me, them, theyDo, bothSync } = await meet()
      await theyDo(() => saveVersion(them, 'known'))
      const shown = async () => (kind === 'projects' ? me.project() : me.environment('prod'))
      const turn = (direction: 'undo' | 'redo') => me.handlers[`undo.${direction}`]({ workspaceId })
      await valueOf(deleteParent(me, kind, await shown()))
      await valueOf(turn('undo'))
      await valueOf(turn('redo'))
      await valueOf(turn('undo'))
      await theyDo(() => saveVersion(them, 'theirs'))
      expect(await turn('redo')).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
      await bothSync()
      expect(them.value('prod', 'X')).toBe('one')
    },
  )

  test('asks about theirs of a variable in question that was moved to an environment which was deleted before', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', 'X', 'mine')
    await theyDo(() => them.set('dev', 'X', 'theirs'))
    await moveTo(me, 'prod', await me.row('dev', 'X'))
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    await valueOf(deleteParent(me, 'projects', await me.project()))
    await bothSync()
    expect((await me.conflicts()).map(({ kind }) => kind)).toEqual(['changed-below'])
    expect(them.value('dev', 'X')).toBe('theirs')
  })

  test('asks about theirs of a variable that it hides while the edit in question is discarded', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', 'X', 'mine')
    await theyDo(() => them.set('dev', 'X', 'theirs'))
    await moveTo(me, 'prod', await me.row('dev', 'X'))
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    const [question] = await me.conflicts()
    await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: question?.changeId ?? '' }))
    await bothSync()
    expect((await me.conflicts()).map(({ kind }) => kind)).toEqual(['changed-below'])
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('asks about theirs of a variable in question that its user had moved out of it, and deleted after it', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', 'X', 'one')
    await bothSync()
    me.set('dev', 'X', 'mine')
    await moveTo(me, 'prod', await me.row('dev', 'X'))
    await theyDo(() => them.set('dev', 'X', 'theirs'))
    await valueOf(deleteParent(me, 'environments', await me.environment('dev')))
    const { id, rev } = await me.row('prod', 'X')
    await valueOf(me.handlers['variables.delete']({ workspaceId, rows: [{ id, seen: rev }] }))
    await bothSync()
    expect(them.value('dev', 'X')).toBe('theirs')
    expect((await me.conflicts()).map(({ kind }) => kind)).toContain('changed-below')
  })

  test.each(['left open', 'taken back'] as const)(
    'asks about a version that the question about an environment in it counted, and that was %s',
    async (how) => {
      const { me, them, theyDo, bothSync } = await meet()
      await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
      await theyDo(() => saveVersion(them, 'theirs'))
      const [question] = await me.conflicts()
      expect(question).toMatchObject({ kind: 'changed-below', news: { words: '1 version was added' } })
      const shown = await me.project()
      if (how === 'taken back') {
        await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: question?.changeId ?? '' }))
        expect(await deleteParent(me, 'projects', shown)).toMatchObject({ ok: false, error: { kind: 'outdated' } })
      } else {
        await valueOf(deleteParent(me, 'projects', shown))
        await bothSync()
        expect((await me.conflicts()).map(({ news }) => news?.words)).toEqual(['1 version was added'])
      }
      expect(them.value('prod', 'X')).toBe('one')
    },
  )

  test('of what was just created is not undone with a version that others saved in it', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const project = await me.project()
    await valueOf(me.handlers['environments.create']({ workspaceId, projectId: project.id, name: 'Next', slug: 'next' }))
    await bothSync()
    await theyDo(() => saveVersion(them, 'theirs', 'next'))
    expect(await me.handlers['undo.undo']({ workspaceId })).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    await bothSync()
    expect((await them.environment('next')).name).toBe('Next')
  })

  test.each(['queue.discard', 'undo.undo'] as const)(
    'is refused on a screen without a variable whose deletion, in conflict, was given up since (%s)',
    async (how) => {
      const { me, them, theyDo, bothSync } = await meet()
      await valueOf(remove(me, [await me.row('prod', 'X')]))
      await theyDo(() => them.set('prod', 'X', 'theirs'))
      const shown = await me.environment('prod')
      await giveUp(me, how)
      expect(await deleteParent(me, 'environments', shown)).toMatchObject({ ok: false, error: { kind: 'outdated' } })
      await bothSync()
      expect(them.value('prod', 'X')).toBe('theirs')
    },
  )

  test('takes nothing along of a variable whose deletion is in question over a value that no screen has shown', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const input = { workspaceId, environmentId: me.environmentId('prod'), text: 'NEW=mine', format: 'env', mode: 'merge' } as const
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    const { id } = await them.row('prod', 'X')
    await theyDo(() => {
      them.desk.client.updateVariable(id, { name: 'NEW', value: 'theirs' })
    })
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    await valueOf(remove(me, [await me.row('prod', 'NEW')]))
    expect(await me.question()).toMatchObject({ kind: 'changed-remotely', theirs: 'theirs' })
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    await bothSync()
    expect(them.value('prod', 'NEW')).toBe('theirs')
    expect(await me.conflicts()).toMatchObject([{ kind: 'changed-below' }])
  })

  test('leaves alone what was typed into a variable that they have moved elsewhere', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'NEW', 'mine')
    them.set('prod', 'NEW', 'theirs')
    await them.sync()
    await me.sync()
    expect(await me.question()).toMatchObject({ kind: 'name-taken' })
    const { id, rev } = await them.row('prod', 'NEW')
    const { rev: seen } = await them.environment('dev')
    const rows = [{ id, seen: rev }]
    const environmentId = them.environmentId('dev')
    await theyDo(() => valueOf(them.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'skip', move: true })))
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    const [question] = await me.conflicts()
    const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
    const choice = { take: 'edit', fields: { name: 'MINE' } } as const
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice }))
    await bothSync()
    expect([them.value('dev', 'NEW'), them.value('dev', 'MINE')]).toEqual(['theirs', 'mine'])
  })

  test.each(['queue.discard', 'undo.undo', 'theirs'] as const)(
    'is refused on a screen of its project without an environment whose deletion, in conflict, was given up since (%s)',
    async (how) => {
      const { me, them, theyDo, bothSync } = await meet()
      await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
      await theyDo(() => them.set('prod', 'X', 'theirs'))
      const shown = await me.project()
      if (how === 'theirs') {
        const [question] = await me.conflicts()
        const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
        await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: how } }))
      } else await giveUp(me, how)
      expect(await deleteParent(me, 'projects', shown)).toMatchObject({ ok: false, error: { kind: 'outdated' } })
      await bothSync()
      expect(them.value('prod', 'X')).toBe('theirs')
      await valueOf(deleteParent(me, 'projects', await me.project()))
    },
  )

  test('and undone after they renamed it has the name that they gave it', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id } = await them.environment('prod')
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    await theyDo(() => them.desk.client.updateParent('environment', id, { name: 'Theirs' }))
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    await bothSync()
    expect([(await them.environment('prod')).name, me.value('prod', 'X'), await me.conflicts()]).toEqual(['Theirs', 'one', []])
  })

  test('leaves alone what its user moved out of it while a question about that was open', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'M', 'one')
    await bothSync()
    me.set('prod', 'M', 'mine')
    await theyDo(() => them.set('prod', 'M', 'theirs'))
    const [question] = await me.conflicts()
    const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
    // Kept apart in the queue, the move is no part of the edit in question.
    me.desk.client.snapshot(me.environmentId('prod'))
    const { id, rev } = await me.row('prod', 'M')
    const environmentId = me.environmentId('dev')
    const rows = [{ id, seen: rev }]
    await valueOf(me.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen: rev, onTaken: 'skip', move: true }))
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    expect(me.value('dev', 'M')).toBe('mine')
    await bothSync()
    expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
    await bothSync()
    await bothSync()
    expect([me.contents(), them.contents()]).toEqual([me.contents(), me.contents()])
    expect([them.value('dev', 'M'), them.value('prod', 'X'), me.desk.client.queue()]).toEqual(['mine', undefined, []])
  })

  test('waits for the answer about one that others moved into it, and that its user moved elsewhere without having seen that', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'M', 'one')
    me.desk.client.createEnvironment('shop', 'Test')
    await bothSync()
    const shown = await me.row('prod', 'M')
    await theyDo(async () => moveTo(them, 'test', await them.row('prod', 'M')))
    await moveTo(me, 'dev', shown)
    const [question] = await me.conflicts()
    expect([question?.kind, me.value('dev', 'M')]).toEqual(['fields', 'one'])
    await valueOf(deleteParent(me, 'environments', await me.environment('test')))
    await bothSync()
    expect(them.value('test', 'M')).toBe('one')
    const { changeId, fingerprint } = question ?? { changeId: '', fingerprint: '' }
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
    await bothSync()
    await bothSync()
    expect([them.value('dev', 'M'), them.contents()['shop/test'], me.desk.client.queue()]).toEqual(['one', undefined, []])
  })

  test('with something new in it is a question that has nothing to edit', async () => {
    const { me, them, theyDo } = await meet()
    const { id, rev: seen } = await me.environment('prod')
    await valueOf(me.handlers['environments.delete']({ workspaceId, id, seen }))
    await theyDo(() => them.set('prod', 'NEW', 'theirs'))
    const [question] = await me.conflicts()
    if (question?.kind !== 'changed-below') throw new Error(`asked about ${question?.kind}`)
    const { changeId, fingerprint } = question
    const choice = { take: 'edit' as const, fields: { name: 'Renamed' } }
    expect(await me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice })).toEqual({
      ok: false,
      error: {
        kind: 'invalid-input',
        message: 'A deleted environment has nothing to edit. Choose whether to delete it anyway or keep it.',
      },
    })
    expect(await me.conflicts()).toEqual([question])
    await me.sync()
    await them.sync()
    expect(them.value('prod', 'NEW')).toBe('theirs')
  })

  test.each(['edited', 'deleted'] as const)(
    'takes nothing of theirs along of a variable in it that is %s and in question',
    async (what) => {
      const { me, them, theyDo, bothSync } = await meet()
      const row = await me.row('prod', 'X')
      if (what === 'deleted') await valueOf(remove(me, [row]))
      else me.set('prod', 'X', 'mine')
      await theyDo(() => them.set('prod', 'X', 'theirs'))
      await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
      await bothSync()
      await bothSync()
      expect(await me.conflicts()).toMatchObject([{ kind: 'changed-below', news: { words: '1 variable was changed' } }])
      expect(them.value('prod', 'X')).toBe('theirs')
    },
  )

  test('and taken back opens a question that was in it as it is now', async () => {
    const { me, them, theyDo } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
    await valueOf(deleteParent(me, 'environments', await me.environment('prod')))
    await theyDo(() => them.set('prod', 'X', 'newer'))
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'mine', theirs: 'newer' })
  })

  test('before it was sent takes nothing along of one that others gave its name and slug meanwhile', async () => {
    const { me, them, bothSync } = await meet()
    const created = (await valueOf(me.handlers['environments.create']({ workspaceId, projectId: (await me.project()).id, name: 'Live' })))
      .id
    me.set('live', 'MINE', 'never sent')
    await valueOf(deleteParent(me, 'environments', { id: created, rev: (await me.environment('live')).rev }))
    const { id, rev: seen } = await them.environment('prod')
    await valueOf(them.handlers['environments.update']({ workspaceId, id, seen, name: 'Live', slug: 'live' }))
    await them.sync()
    await bothSync()
    await bothSync()
    expect([me.value('live', 'X'), them.value('live', 'X'), me.desk.client.queue()]).toEqual(['one', 'one', []])
  })

  test('is not held up by what happened elsewhere', async () => {
    const { me, them, theyDo } = await meet()
    const shown = await me.environment('prod')
    await theyDo(() => them.set('dev', 'X', 'theirs'))
    await valueOf(deleteParent(me, 'environments', shown))
  })

  test('is not held up by what its own user made there', async () => {
    const { me } = await meet()
    const shown = await me.environment('prod')
    me.set('prod', 'MINE', '1')
    await me.sync()
    await valueOf(deleteParent(me, 'environments', shown))
  })
})

describe('a conflict that is another when somebody chooses', () => {
  test.each(['mine', 'theirs'] as const)('refuses %s, loses nothing, and takes it once the new one was seen', async (take) => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const [shown] = await me.conflicts()
    await theyDo(() => them.set('prod', 'X', 'theirs, moved on'))
    const { changeId = '', fingerprint = '' } = shown ?? {}
    const refused = await me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take } })
    expect(refused).toMatchObject({ ok: false, error: { kind: 'outdated' } })
    expect(await me.question()).toMatchObject({ was: 'one', mine: 'mine', theirs: 'theirs, moved on' })
    const [now] = await me.conflicts()
    const again = { workspaceId, changeId: now?.changeId ?? '', fingerprint: now?.fingerprint ?? '', choice: { take } }
    await valueOf(me.handlers['conflicts.resolve'](again))
    await bothSync()
    expect(them.value('prod', 'X')).toBe(take === 'mine' ? 'mine' : 'theirs, moved on')
  })

  test('says who wrote theirs and when', async () => {
    const { me, them, theyDo } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const [shown] = await me.conflicts()
    expect(Date.parse(shown?.remoteAt ?? '')).not.toBeNaN()
  })
})

test.each([
  { kind: 'environment', refused: 'update variable', left: { shop: '' } },
  { kind: 'environment', refused: 'create variable', left: { shop: '' } },
  { kind: 'project', refused: 'update variable', left: {} },
] as const)(
  'a deleted $kind with a change in it that the service refused asks about nothing: $refused',
  async ({ kind, refused, left }) => {
    const { me, them } = await meet()
    me.desk.client.network = (forward, request) =>
      sends(refused, request)
        ? Promise.resolve(Response.json({ success: false, code: 422, message: 'Too long.', data: {} }, { status: 422 }))
        : forward()
    me.set('prod', refused === 'update variable' ? 'X' : 'NEW', 'long')
    await me.sync()
    const { id, rev } = kind === 'project' ? await me.project() : await me.environment('prod')
    await valueOf(me.handlers[`${kind}s.delete`]({ workspaceId, id, seen: rev }))
    await me.sync()
    await them.sync()
    expect([me.desk.client.queue(), them.contents()]).toMatchObject([[], left])
    expect(Object.keys(them.contents()).filter((path) => path.startsWith('shop/prod'))).toEqual([])
  },
)
