import type { Result } from '../../../electron/bridge/result.ts'
import { describe, expect, test } from 'vitest'
import type { ConflictRow } from '../../../electron/bridge/rows.ts'
import { loseAnswer, type Network } from '../../support/build-client.ts'
import { createMeeting, workspaceId, type Person } from './two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const meet = createMeeting()

/** A request that writes is lost on its way, and nobody here can know. */
const losesWrites: Network = (forward, request) =>
  request.method === 'GET' ? forward() : loseAnswer(() => Promise.resolve(new Response()), request)

const answerTo = (conflict: ConflictRow | undefined) => ({
  changeId: conflict?.changeId ?? '',
  fingerprint: conflict?.fingerprint ?? '',
})

/** Ways to give X, which its user made "mine" and a colleague "theirs", the value of before both. */
const waysBack: [string, (me: Person) => Promise<unknown>][] = [
  [
    'typed',
    async (me) => {
      const { id, rev: seen } = await me.row('prod', 'X')
      return me.handlers['variables.update']({ workspaceId, id, seen, value: 'one' })
    },
  ],
  [
    'restored from the history',
    async (me) => {
      const { id, rev: seen } = await me.row('prod', 'X')
      const place = { workspaceId, environmentId: null, variableId: id }
      const entries = (await valueOf(me.handlers['history.list'](place))).map(({ entry }) => entry)
      const values = await valueOf(me.handlers['history.values']({ workspaceId, entries, reveal: true }))
      const kept = values.find(({ value }) => value === 'one')
      return me.handlers['history.restore']({ workspaceId, variableId: id, seen, entry: kept?.entry ?? 0 })
    },
  ],
  [
    'imported',
    async (me) => {
      const file = { workspaceId, environmentId: me.environmentId('prod'), text: 'X=one', format: 'env', mode: 'merge' } as const
      const { rev: seen } = await valueOf(me.handlers['import.preview'](file))
      return me.handlers['import.apply']({ ...file, seen })
    },
  ],
  [
    'copied from another environment',
    async (me) => {
      const { id, rev } = await me.row('dev', 'X')
      const to = await me.environment('prod')
      const rows = [{ id, seen: rev }]
      return me.handlers['variables.copy-to']({ workspaceId, rows, environmentId: to.id, seen: to.rev, onTaken: 'overwrite', move: false })
    },
  ],
]

describe('over an edit of one’s own that is in question', () => {
  test.each(waysBack)('the value of before it, %s, is an edit: it asks, and is sent once it is kept', async (_way, putBack) => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await putBack(me)
    const asks = { kind: 'fields', was: 'mine', mine: 'one', theirs: 'theirs' }
    expect([me.value('prod', 'X'), await me.question()]).toEqual(['one', asks])
    await bothSync()
    expect([them.value('prod', 'X'), await me.question()]).toEqual(['theirs', asks])
    const [question] = await me.conflicts()
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(question), choice: { take: 'mine' } }))
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['one', []])
  })

  test('the name of before it is a rename, and so is the new one typed again', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id } = await me.row('prod', 'X')
    me.desk.client.renameVariable(me.environmentId('prod'), 'X', 'MINE')
    await theyDo(() => them.desk.client.renameVariable(them.environmentId('prod'), 'X', 'THEIRS'))
    for (const [from, name] of [
      ['MINE', 'X'],
      ['X', 'MINE'],
      ['MINE', 'X'],
    ] as const) {
      const { rev: seen } = await me.row('prod', from)
      await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, name }))
      expect(await me.question()).toEqual({ kind: 'fields', was: from, mine: name, theirs: 'THEIRS' })
    }
    await bothSync()
    expect([me.value('prod', 'X'), them.value('prod', 'THEIRS')]).toEqual(['one', 'one'])
  })

  test('theirs, typed, ends the question, and undone opens it again', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const { id, rev: seen } = await me.row('prod', 'X')
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'theirs' }))
    expect([me.value('prod', 'X'), await me.conflicts()]).toEqual(['theirs', []])
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    expect(await me.question()).toMatchObject({ was: 'one', mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })
})

describe('an editor that stands open while a colleague writes', () => {
  test('saves nothing over theirs, and asks with what its user saw', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    expect((await me.row('prod', 'X')).rev).toBeGreaterThan(shown.rev)
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' }))
    expect(await me.question()).toEqual({ kind: 'fields', was: 'one', mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
    expect(await me.question()).toEqual({ kind: 'fields', was: 'one', mine: 'mine', theirs: 'theirs' })
  })

  test('saves over theirs once its user has seen it', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const { id, rev } = await me.row('prod', 'X')
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen: rev, value: 'mine' }))
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['mine', []])
  })

  test('is merged where they changed another field', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.desk.client.renameVariable(them.environmentId('prod'), 'X', 'Y'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' }))
    await bothSync()
    expect([them.value('prod', 'Y'), await me.conflicts()]).toEqual(['mine', []])
  })

  test('leaves theirs where it gives back what it was shown', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'one', type: 'number' }))
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts(), (await them.row('prod', 'X')).type]).toEqual(['theirs', [], 'number'])
  })

  test('is no question where both typed the same', async () => {
    const { me, them, theyDo } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'same'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'same' }))
    expect([await me.conflicts(), me.desk.client.queue()]).toEqual([[], []])
  })

  test('asks about the oldest of several changes that it did not show', async () => {
    const { me, them, theyDo } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'two'))
    await theyDo(() => them.set('prod', 'X', 'three'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' }))
    expect(await me.question()).toMatchObject({ was: 'one', theirs: 'three' })
  })

  test('asks also where an earlier edit of another field waits to be sent', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, type: 'number' }))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' }))
    expect(await me.question()).toMatchObject({ was: 'one', mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('takes what was typed here in another window for its own', async () => {
    const { me, them, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    me.set('prod', 'X', 'typed elsewhere')
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' }))
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['mine', []])
  })

  test('of a variable that they deleted keeps what was typed as a question', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = await me.row('prod', 'X')
    await theyDo(() => them.desk.client.deleteVariable(them.environmentId('prod'), 'X'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' }))
    expect(await me.question()).toMatchObject({ kind: 'deleted-remotely', mine: 'mine' })
    const [conflict] = await me.conflicts()
    const { changeId = '', fingerprint = '' } = conflict ?? {}
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: 'mine' } }))
    await bothSync()
    expect(them.value('prod', 'X')).toBe('mine')
  })

  test('of a variable that they changed and then deleted creates it again with the value it had at last', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id, rev: seen } = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'two'))
    await theyDo(() => them.desk.client.deleteVariable(them.environmentId('prod'), 'X'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, type: 'number' }))
    const [question] = await me.conflicts()
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(question), choice: { take: 'mine' } }))
    await bothSync()
    expect([them.value('prod', 'X'), (await them.row('prod', 'X')).type]).toEqual(['two', 'number'])
  })

  test('of a variable that its own user deleted says that it is gone', async () => {
    const { me } = await meet()
    const shown = await me.row('prod', 'X')
    me.desk.client.deleteVariable(me.environmentId('prod'), 'X')
    const saved = await me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'mine' })
    expect(saved).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  })

  test('of one that its user deleted while it was on its way back to the service says that it is gone', async () => {
    const { me, them, theyDo } = await meet()
    const first = await me.row('prod', 'X')
    await theyDo(() => them.desk.client.deleteVariable(them.environmentId('prod'), 'X'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id: first.id, seen: first.rev, value: 'mine' }))
    const [question] = await me.conflicts()
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(question), choice: { take: 'mine' } }))
    me.desk.client.network = losesWrites
    await me.sync()
    me.desk.client.deleteVariable(me.environmentId('prod'), 'X')
    const saved = await me.handlers['variables.update']({ workspaceId, id: first.id, seen: first.rev, value: 'later' })
    expect(saved).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  })

  test.each(['discarded', 'theirs', 'deleted'] as const)(
    'of a variable that they deleted, after its own user gave up an edit over theirs (%s), says that it is gone',
    async (how) => {
      const { me, them, theyDo, bothSync } = await meet()
      me.set('prod', 'X', 'mine')
      await theyDo(() => them.set('prod', 'X', 'theirs'))
      const { id, rev: seen } = await me.row('prod', 'X')
      await theyDo(() => them.desk.client.deleteVariable(them.environmentId('prod'), 'X'))
      const [question] = await me.conflicts()
      const { changeId } = answerTo(question)
      if (how === 'discarded') await valueOf(me.handlers['queue.discard']({ workspaceId, changeId }))
      if (how === 'theirs') await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(question), choice: { take: how } }))
      if (how === 'deleted') me.desk.client.deleteVariable(me.environmentId('prod'), 'X')
      const saved = await me.handlers['variables.update']({ workspaceId, id, seen, value: 'later' })
      expect(saved).toMatchObject({ ok: false, error: { kind: 'not-found' } })
      await theyDo(() => them.set('prod', 'X', 'theirs'))
      await bothSync()
      expect(them.value('prod', 'X')).toBe('theirs')
    },
  )

  test.each([
    { whose: 'its user', by: 'me', when: 'from before they deleted it' },
    { whose: 'its user', by: 'me', when: 'from after that' },
    { whose: 'others', by: 'them', when: 'from before they deleted it' },
    { whose: 'others', by: 'them', when: 'from after that' },
  ] as const)(
    'of a variable that $whose made, others deleted and its user made again, $when, gives it its first value',
    async ({ by, when }) => {
      const { me, them, theyDo, bothSync } = await meet()
      if (by === 'me') me.set('prod', 'NEW', 'first')
      else them.set('prod', 'NEW', 'first')
      await bothSync()
      await them.sync()
      const before = await me.row('prod', 'NEW')
      await theyDo(() => them.desk.client.deleteVariable(them.environmentId('prod'), 'NEW'))
      await valueOf(me.handlers['variables.update']({ workspaceId, id: before.id, seen: before.rev, value: 'mine' }))
      const [deleted] = await me.conflicts()
      await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(deleted), choice: { take: 'mine' } }))
      const shown = when === 'from after that' ? await me.row('prod', 'NEW') : before
      await bothSync()
      await valueOf(me.handlers['variables.update']({ workspaceId, id: shown.id, seen: shown.rev, value: 'first' }))
      await bothSync()
      expect([them.value('prod', 'NEW'), await me.conflicts()]).toEqual(['first', []])
    },
  )

  test('shows who did it and what stands there now', async () => {
    const { me, them, theyDo } = await meet()
    const { id, rev } = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const now = await valueOf(me.handlers['variables.show']({ workspaceId, id, reveal: true }))
    expect(now).toMatchObject({ name: 'X', value: { state: 'shown', value: 'theirs' } })
    expect(now?.rev).toBeGreaterThan(rev)
    await theyDo(() => them.desk.client.deleteVariable(them.environmentId('prod'), 'X'))
    expect(await valueOf(me.handlers['variables.show']({ workspaceId, id, reveal: true }))).toBeNull()
  })
})

describe('other ways to write a value', () => {
  test('a cell of a comparison asks', async () => {
    const { me, them, theyDo } = await meet()
    const { id: projectId } = await me.project()
    const shown = await valueOf(me.handlers['compare.row']({ workspaceId, projectId, name: 'X' }))
    const cell = shown?.cells.find(({ environmentId }) => environmentId === me.environmentId('prod'))
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const args = { workspaceId, id: cell?.variableId ?? '', seen: cell?.rev ?? 0, value: 'mine' }
    await valueOf(me.handlers['variables.update'](args))
    expect(await me.question()).toMatchObject({ was: 'one', mine: 'mine', theirs: 'theirs' })
  })

  test.each([
    { what: 'over one that changed', name: 'X', expected: { kind: 'fields', was: 'one', mine: 'source', theirs: 'theirs' } },
    { what: 'into a cell that was empty', name: 'NEW', expected: { kind: 'name-taken', was: null, mine: 'source', theirs: 'theirs' } },
  ])('a copy across a comparison $what asks', async ({ name, expected }) => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', name, 'source')
    await me.sync()
    const { id: projectId } = await me.project()
    const shown = await valueOf(me.handlers['compare.row']({ workspaceId, projectId, name }))
    const environmentId = me.environmentId('prod')
    const seen = shown?.cells.find((cell) => cell.environmentId === environmentId)?.rev ?? 0
    await theyDo(() => them.set('prod', name, 'theirs'))
    const { id, rev } = await me.row('dev', name)
    await valueOf(me.handlers['compare.copy']({ workspaceId, from: { id, seen: rev }, to: [{ environmentId, seen }] }))
    expect(await me.question()).toEqual(expected)
    await bothSync()
    expect(them.value('prod', name)).toBe('theirs')
  })

  test.each([
    { what: 'over one that changed', name: 'X' },
    { what: 'over one that came', name: 'NEW' },
  ])('a copy to another environment $what asks', async ({ name }) => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', name, 'source')
    await me.sync()
    const { rev: seen } = await me.environment('prod')
    await theyDo(() => them.set('prod', name, 'theirs'))
    const row = await me.row('dev', name)
    const rows = [{ id: row.id, seen: row.rev }]
    const environmentId = me.environmentId('prod')
    await valueOf(me.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen, onTaken: 'overwrite', move: false }))
    expect(await me.question()).toMatchObject({ mine: 'source', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', name)).toBe('theirs')
  })

  test.each([
    { how: 'across a comparison', copies: true },
    { how: 'with others', copies: true },
    { how: 'beside itself', copies: false },
  ])('a value that others have written since is not copied $how', async ({ how, copies }) => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', 'NEW', 'shown')
    await bothSync()
    const { id, rev } = await me.row('dev', 'NEW')
    const { rev: seen, id: environmentId } = await me.environment('prod')
    await theyDo(() => them.set('dev', 'NEW', 'never shown'))
    const copy = (of: { id: string; seen: number }): Promise<Result<unknown>> =>
      how === 'across a comparison'
        ? me.handlers['compare.copy']({ workspaceId, from: of, to: [{ environmentId, seen }] })
        : how === 'with others'
          ? me.handlers['variables.copy-to']({ workspaceId, rows: [of], environmentId, seen, onTaken: 'overwrite', move: false })
          : me.handlers['variables.duplicate']({ workspaceId, ...of })
    const before = me.contents()
    await copy({ id, seen: rev })
    expect(me.contents()).toEqual(before)
    await valueOf(copy({ id, seen: (await me.row('dev', 'NEW')).rev }))
    expect(me.contents()).toEqual({ ...before, [copies ? 'shop/prod/NEW' : 'shop/dev/NEW_COPY']: 'never shown' })
  })

  test.each([
    { what: 'moved', move: true },
    { what: 'copied', move: false },
  ])('a variable $what, that others gave another name since, overwrites nothing of that name', async ({ move }) => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', 'OTHER', 'source')
    await bothSync()
    const row = await me.row('dev', 'OTHER')
    const { rev: seen } = await me.environment('prod')
    const { id: theirX } = await them.row('dev', 'X')
    await theyDo(() => {
      them.desk.client.updateVariable(theirX, { name: 'OLD' })
    })
    const { id: theirOther } = await them.row('dev', 'OTHER')
    await theyDo(() => {
      them.desk.client.updateVariable(theirOther, { name: 'X' })
    })
    const rows = [{ id: row.id, seen: row.rev }]
    const input = { workspaceId, rows, environmentId: me.environmentId('prod'), seen, onTaken: 'overwrite', move } as const
    expect(await valueOf(me.handlers['variables.copy-to'](input))).toEqual({ copied: 0, skipped: 1, overwritten: 0 })
    const cell = { environmentId: me.environmentId('prod'), seen }
    expect(await me.handlers['compare.copy']({ workspaceId, from: rows[0] ?? expect.fail(), to: [cell] })).toMatchObject({ ok: false })
    await bothSync()
    expect([them.value('prod', 'X'), them.value('dev', 'X')]).toEqual(['one', 'source'])
  })

  test('a file of unsent changes over a variable that changed since it was chosen asks', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'from the file')
    const { text } = await valueOf(me.handlers['queue.export']({ workspaceId, format: 'json' }))
    await valueOf(me.handlers['undo.undo']({ workspaceId })).catch(() => undefined)
    for (const { id } of me.desk.client.queue()) await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: id }))
    const { rev: seen } = await me.project()
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['queue.apply']({ workspaceId, text, seen }))
    expect(await me.question()).toMatchObject({ was: 'one', mine: 'from the file', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('an editor that stands open while its user discards an edit in conflict asks about the value that it never showed', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'X', 'mine')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    const { id, rev: seen } = await me.row('prod', 'X')
    const [question] = await me.conflicts()
    await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: question?.changeId ?? '' }))
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'typed over mine' }))
    expect(await me.question()).toMatchObject({ was: 'mine', mine: 'typed over mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('an editor that stands open while its user gives mine another name asks about theirs, which has the row from then on', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('prod', 'NEW', 'mine')
    await theyDo(() => them.set('prod', 'NEW', 'theirs'))
    const { id, rev: seen } = await me.row('prod', 'NEW')
    const [question] = await me.conflicts()
    const choice = { take: 'edit', fields: { name: 'OTHER' } } as const
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(question), choice }))
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'typed over mine' }))
    expect(await me.question()).toMatchObject({ was: 'mine', mine: 'typed over mine', theirs: 'theirs' })
    await bothSync()
    expect([them.value('prod', 'NEW'), them.value('prod', 'OTHER')]).toEqual(['theirs', 'mine'])
  })

  test('an edit that was given up in question, undone and done again, is a question again', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id, rev: seen } = await me.row('prod', 'X')
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'mine' }))
    const [question] = await me.conflicts()
    await valueOf(me.handlers['queue.discard']({ workspaceId, changeId: question?.changeId ?? '' }))
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    await valueOf(me.handlers['undo.redo']({ workspaceId }))
    expect(await me.question()).toMatchObject({ was: 'one', mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('an edit taken back while its answer is awaited leaves theirs, once its question is answered so', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id, rev: seen } = await me.row('prod', 'X')
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'mine' }))
    me.desk.client.network = losesWrites
    await me.sync()
    await valueOf(me.handlers['undo.undo']({ workspaceId }))
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    me.desk.client.network = (forward) => forward()
    me.desk.client.skew += 3_600_000
    await me.sync()
    const [question] = await me.conflicts()
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(question), choice: { take: 'theirs' } }))
    await bothSync()
    expect([me.value('prod', 'X'), them.value('prod', 'X'), me.desk.client.queue()]).toEqual(['theirs', 'theirs', []])
  })

  test('an edit of one whose rename waits for its user asks about the value that was not shown', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const { id } = await me.row('prod', 'X')
    them.set('prod', 'TAKEN', 'another')
    await them.sync()
    me.desk.client.updateVariable(id, { name: 'TAKEN' })
    await me.sync()
    expect((await me.conflicts()).map(({ kind }) => kind)).toEqual(['name-taken'])
    const { rev: seen } = (await me.rows('prod')).find((row) => row.id === id) ?? { rev: 0 }
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['variables.update']({ workspaceId, id, seen, value: 'mine' }))
    expect(await me.question()).toMatchObject({ kind: 'fields', was: 'one', mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'X')).toBe('theirs')
  })

  test('an import over a variable that others gave that name since asks', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const input = { workspaceId, environmentId: me.environmentId('prod'), text: 'NEW=mine', format: 'env', mode: 'merge' } as const
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    const { id } = await them.row('prod', 'X')
    await theyDo(() => {
      them.desk.client.updateVariable(id, { name: 'NEW' })
    })
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'one' })
    await bothSync()
    expect(them.value('prod', 'NEW')).toBe('one')
  })

  test('an import over a variable that others made and then changed since asks', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const input = { workspaceId, environmentId: me.environmentId('prod'), text: 'NEW=mine', format: 'env', mode: 'merge' } as const
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    await theyDo(() => them.set('prod', 'NEW', 'theirs'))
    const { id } = await them.row('prod', 'NEW')
    await theyDo(() => {
      them.desk.client.updateVariable(id, { type: 'number' })
    })
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    expect(await me.question()).toMatchObject({ mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', 'NEW')).toBe('theirs')
  })

  const twins = {
    move: async (me: Person, place: { environmentId: string; seen: number }, id: string, rev: number) =>
      me.handlers['variables.copy-to']({ workspaceId, ...place, rows: [{ id, seen: rev }], onTaken: 'overwrite', move: true }),
    copy: async (me: Person, place: { environmentId: string; seen: number }, id: string, rev: number) =>
      me.handlers['variables.copy-to']({ workspaceId, ...place, rows: [{ id, seen: rev }], onTaken: 'overwrite', move: false }),
    'copy across a comparison': async (me: Person, place: { environmentId: string; seen: number }, id: string, rev: number) =>
      me.handlers['compare.copy']({ workspaceId, from: { id, seen: rev }, to: [place] }),
    'file of unsent changes': async (me: Person, { seen }: { seen: number }) => {
      const { text } = await valueOf(me.handlers['queue.export']({ workspaceId, format: 'json' }))
      return me.handlers['queue.apply']({ workspaceId, text, seen })
    },
    import: async (me: Person, place: { environmentId: string; seen: number }) => {
      const input = { workspaceId, environmentId: place.environmentId, text: 'NEW=imported', format: 'env', mode: 'merge' } as const
      const { lines } = await valueOf(me.handlers['import.preview'](input))
      expect(lines).toMatchObject([{ name: 'NEW', status: 'invalid' }])
      return me.handlers['import.apply']({ ...input, ...place })
    },
    'import that replaces': async (me: Person, place: { environmentId: string; seen: number }) =>
      me.handlers['import.apply']({ workspaceId, ...place, text: 'NEW=imported', format: 'env', mode: 'replace' }),
  }

  test.each(Object.entries(twins))(
    'a %s overwrites neither of two variables that bear one name while that is in question',
    async (_how, does) => {
      const { me, them, bothSync } = await meet()
      me.set('dev', 'NEW', 'source')
      await bothSync()
      const { id } = await them.row('prod', 'X')
      them.desk.client.updateVariable(id, { name: 'NEW' })
      await them.sync()
      me.set('prod', 'NEW', 'mine')
      await me.sync()
      expect(await me.question()).toMatchObject({ kind: 'name-taken' })
      const { id: environmentId, rev: seen } = await me.environment('prod')
      const { id: source, rev } = await me.row('dev', 'NEW')
      const both = () =>
        me.desk.client.children('variable', environmentId).map(({ fields }) => me.desk.client.cipher.open(fields.value?.sealed ?? ''))
      expect(both().toSorted()).toEqual(['mine', 'one'])
      await does(me, { environmentId, seen }, source, rev)
      expect([both().toSorted(), me.desk.client.queue().length]).toEqual([['mine', 'one'], 1])
    },
  )

  test('a copy over a variable that others gave that name since asks', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    me.set('dev', 'NEW', 'source')
    await bothSync()
    const { rev: seen } = await me.environment('prod')
    const { id } = await them.row('prod', 'X')
    await theyDo(() => {
      them.desk.client.updateVariable(id, { name: 'NEW' })
    })
    const rows = [{ id: (await me.row('dev', 'NEW')).id, seen }]
    const input = { workspaceId, rows, environmentId: me.environmentId('prod'), seen, onTaken: 'overwrite', move: false } as const
    await valueOf(me.handlers['variables.copy-to'](input))
    expect(await me.question()).toMatchObject({ mine: 'source', theirs: 'one' })
    await bothSync()
    expect(them.value('prod', 'NEW')).toBe('one')
  })

  test('a new variable of a name that has just come is refused, and theirs stays', async () => {
    const { me, them, theyDo } = await meet()
    await theyDo(() => them.set('prod', 'NEW', 'theirs'))
    const input = {
      workspaceId,
      environmentId: me.environmentId('prod'),
      name: 'NEW',
      value: 'mine',
      type: 'string',
      isSecret: false,
    } as const
    expect(await me.handlers['variables.create'](input)).toMatchObject({ ok: false, error: { kind: 'name-taken' } })
    expect(me.value('prod', 'NEW')).toBe('theirs')
  })

  test('two that were made apart under one name show both values, where neither is a secret', async () => {
    const { me, them, theyDo } = await meet()
    me.set('prod', 'NEW', 'mine')
    await theyDo(() => them.set('prod', 'NEW', 'theirs'))
    const [change] = await valueOf(me.handlers['queue.list']({ workspaceId }))
    const row = await valueOf(me.handlers['conflicts.show']({ workspaceId, changeId: change?.changeId ?? '', reveal: false }))
    expect(row).toMatchObject({ kind: 'name-taken', fields: [{ field: 'value', mine: { text: 'mine' }, theirs: { text: 'theirs' } }] })
  })

  test.each([
    { name: 'given up leaves both where they are', choice: { take: 'theirs' }, left: { 'shop/prod/X': 'one', 'shop/dev/X': 'theirs' } },
    {
      name: 'under another name leaves theirs beside it',
      choice: { take: 'edit', fields: { name: 'Y' } },
      left: { 'shop/dev/Y': 'one', 'shop/dev/X': 'theirs' },
    },
  ] as const)('a move to where one of its name was kept, $name', async ({ choice, left }) => {
    const { me, them, theyDo, bothSync } = await meet()
    const [{ id, rev }, target] = [await me.row('prod', 'X'), await me.environment('dev')]
    await theyDo(() => them.set('dev', 'X', 'theirs'))
    const move = {
      workspaceId,
      rows: [{ id, seen: rev }],
      environmentId: target.id,
      seen: target.rev,
      onTaken: 'overwrite' as const,
      move: true,
    }
    await valueOf(me.handlers['variables.copy-to'](move))
    await me.sync()
    const [kept] = await me.conflicts()
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(kept), choice: { take: 'theirs' } }))
    await me.sync()
    const [taken] = await me.conflicts()
    expect(taken).toMatchObject({ kind: 'name-taken', fields: [{ field: 'parent', mine: { text: 'Dev' } }, { field: 'name' }] })
    await valueOf(me.handlers['conflicts.resolve']({ workspaceId, ...answerTo(taken), choice }))
    await bothSync()
    expect(await me.conflicts()).toEqual([])
    for (const person of [me, them]) expect(person.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/dev': '', ...left })
  })

  test('a bulk change asks about the rows that changed, and does the others', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    for (const name of ['A', 'B']) me.set('prod', name, '1')
    await me.sync()
    const rows = (await me.rows('prod')).map(({ id, rev }) => ({ id, seen: rev }))
    await theyDo(async () => {
      await them.sync()
      them.desk.client.updateVariable((await them.row('prod', 'A')).id, { type: 'boolean' })
    })
    await valueOf(me.handlers['variables.update-many']({ workspaceId, rows, type: 'number' }))
    expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'number', theirs: 'boolean' })
    await bothSync()
    expect((await them.rows('prod')).map(({ name, type }) => `${name} ${type}`)).toEqual(['A boolean', 'B number', 'X number'])
  })

  test('a value restored over one that was not shown asks', async () => {
    const { me, them, theyDo } = await meet()
    me.set('prod', 'X', 'two')
    await me.sync()
    await them.sync()
    const environmentId = me.environmentId('prod')
    const [kept] = await valueOf(me.handlers['history.list']({ workspaceId, environmentId, variableId: null }))
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['history.restore']({ workspaceId, entry: kept?.entry ?? 0, variableId: null, seen: kept?.rev ?? 0 }))
    expect(await me.question()).toMatchObject({ was: 'two', mine: 'one', theirs: 'theirs' })
  })

  test.each(['projects', 'environments'] as const)('another name for one of the %s that they renamed asks', async (kind) => {
    const { me, them, theyDo, bothSync } = await meet()
    const shown = kind === 'projects' ? await me.project() : await me.environment('prod')
    const theirs = kind === 'projects' ? await them.project() : await them.environment('prod')
    await theyDo(() => them.desk.client.updateParent(kind === 'projects' ? 'project' : 'environment', theirs.id, { name: 'Theirs' }))
    await valueOf(me.handlers[`${kind}.update`]({ workspaceId, id: shown.id, seen: shown.rev, name: 'Mine' }))
    expect(await me.question()).toMatchObject({ kind: 'fields', mine: 'Mine', theirs: 'Theirs' })
    await bothSync()
    expect((kind === 'projects' ? await them.project() : await them.environment('prod')).name).toBe('Theirs')
  })
})

describe('an import previewed earlier', () => {
  const args = (environmentId: string, text: string, mode: 'merge' | 'replace') => ({
    workspaceId,
    environmentId,
    text,
    format: 'env' as const,
    mode,
  })

  test.each([
    { what: 'over one that changed', name: 'X', was: 'one' },
    { what: 'over one that came', name: 'NEW', was: null },
  ])('asks $what', async ({ name, was }) => {
    const { me, them, theyDo, bothSync } = await meet()
    const input = args(me.environmentId('prod'), `${name}=mine`, 'merge')
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    await theyDo(() => them.set('prod', name, 'theirs'))
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    expect(await me.question()).toMatchObject({ was, mine: 'mine', theirs: 'theirs' })
    await bothSync()
    expect(them.value('prod', name)).toBe('theirs')
  })

  test('leaves theirs where the text says what was shown', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    const input = args(me.environmentId('prod'), 'X=one', 'replace')
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    await theyDo(() => them.set('prod', 'X', 'theirs'))
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    await bothSync()
    expect([them.value('prod', 'X'), await me.conflicts()]).toEqual(['theirs', []])
  })

  test('asks before it removes what changed since, and leaves what came since', async () => {
    const { me, them, theyDo, bothSync } = await meet()
    await theyDo(() => them.set('dev', 'MOVED', 'one'))
    const input = args(me.environmentId('prod'), 'Z=1', 'replace')
    const { rev: seen } = await valueOf(me.handlers['import.preview'](input))
    await theyDo(() => {
      them.set('prod', 'X', 'theirs')
      them.set('prod', 'NEW', 'came')
    })
    const [moved, { id: environmentId, rev }] = [await them.row('dev', 'MOVED'), await them.environment('prod')]
    const rows = [{ id: moved.id, seen: moved.rev }]
    const move = { workspaceId, rows, environmentId, seen: rev, onTaken: 'skip' as const, move: true }
    await theyDo(() => valueOf(them.handlers['variables.copy-to'](move)))
    await valueOf(me.handlers['import.apply']({ ...input, seen }))
    expect((await me.conflicts()).map(({ kind, name }) => `${kind} ${name}`)).toEqual(['changed-remotely X'])
    await bothSync()
    expect(them.contents()).toMatchObject({
      'shop/prod/X': 'theirs',
      'shop/prod/NEW': 'came',
      'shop/prod/MOVED': 'one',
      'shop/prod/Z': '1',
    })
  })
})
