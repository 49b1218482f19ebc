import { describe, expect, test } from 'vitest'
import { createDispatch } from '../../electron/app/dispatch.ts'
import { SavedInPart } from '../../electron/app/edits/saved-in-part.ts'
import type { Handlers } from '../../electron/app/handlers.ts'
import { ok } from '../../electron/bridge/result.ts'

const setUp = (handlers: Partial<Handlers> = {}) => {
  const logged: unknown[] = []
  const dispatch = createDispatch({
    handlers: handlers as Handlers,
    log: (level, message, data) => logged.push({ level, message, data }),
    newReference: () => 'ref-1',
    dataDir: '/home/ada/holdfast',
  })
  return { dispatch, logged }
}

describe('names', () => {
  test.each([
    ['an unknown name', 'nothing.here'],
    ['a command asked as a query', 'keys.lock'],
    ['a name of the prototype', 'constructor'],
    ['the prototype itself', '__proto__'],
    ['a method of every object', 'toString'],
    ['the empty name', ''],
  ])('%s is not a query', async (_, name) => {
    const { dispatch } = setUp()
    expect(await dispatch.query(name, {})).toEqual({
      ok: false,
      error: { kind: 'invalid-input', message: 'Unknown query.', field: 'name' },
    })
  })

  test('a query asked as a command is not a command', async () => {
    const { dispatch } = setUp()
    expect(await dispatch.command('app.status', {})).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
  })
})

describe('arguments', () => {
  const workspaceId = 'w1'
  test.each([
    ['a missing field', 'projects.create', { workspaceId }, 'name', '"name" must be of type string.'],
    ['a name too long', 'projects.create', { workspaceId, name: 'x'.repeat(511) }, 'name', '"name" is too large: at most 510 characters.'],
    ['an empty id', 'projects.create', { workspaceId: '', name: 'x' }, 'workspaceId', '"workspaceId" must not be empty.'],
    ['a number for a text', 'projects.create', { workspaceId: 4, name: 'x' }, 'workspaceId', '"workspaceId" must be of type string.'],
    ['a field too many', 'projects.create', { workspaceId, name: 'x', admin: true }, undefined, 'The input has unknown fields: "admin".'],
    [
      'a selection of a whole large environment',
      'variables.delete',
      { workspaceId, rows: Array.from({ length: 10_001 }, (_, n) => ({ id: `v${n}`, seen: 0 })) },
      'rows',
      'Select up to 10,000 variables at a time.',
    ],
    ['no list entry', 'variables.delete', { workspaceId, rows: [] }, 'rows', '"rows" is too small: at least 1 entries.'],
    [
      'an unknown type',
      'variables.update',
      { workspaceId, id: 'v', seen: 0, type: 'date' },
      'type',
      '"type" must be one of: string, number, boolean.',
    ],
    ['what was not said to be seen', 'variables.update', { workspaceId, id: 'v', value: 'x' }, 'seen', '"seen" must be of type number.'],
    ['nothing at all', 'projects.create', undefined, undefined, 'The input must be of type object.'],
    ['an array', 'projects.create', [], undefined, 'The input must be of type object.'],
    [
      'a choice that is none',
      'conflicts.resolve',
      { workspaceId, changeId: 'c', fingerprint: 'f', choice: { take: 'both' } },
      'choice.take',
      '"choice.take" is not valid.',
    ],
  ])('%s is refused with a sentence that names the field', async (_, name, args, field, message) => {
    const { dispatch } = setUp()
    expect(await dispatch.command(name, args)).toEqual({
      ok: false,
      error: field === undefined ? { kind: 'invalid-input', message } : { kind: 'invalid-input', message, field },
    })
  })

  test('the handler gets the parsed arguments and its answer comes back', async () => {
    const seen: unknown[] = []
    const { dispatch } = setUp({
      'projects.create': async (args) => {
        seen.push(args)
        return ok({ id: 'p1' })
      },
    })
    expect(await dispatch.command('projects.create', { workspaceId, name: 'Shop' })).toEqual({ ok: true, value: { id: 'p1' } })
    expect(seen).toEqual([{ workspaceId, name: 'Shop' }])
  })
})

describe('throws', () => {
  const throwing = (error: unknown) =>
    setUp({
      'keys.lock': () => {
        throw error
      },
    })

  test('a bug is answered with a reference alone, and logged without its message', async () => {
    const { dispatch, logged } = throwing(new TypeError('cannot parse hunter2'))
    const answer = await dispatch.command('keys.lock', {})
    expect(answer).toMatchObject({ ok: false, error: { kind: 'bug', reference: 'ref-1' } })
    expect(JSON.stringify(answer)).not.toMatch(/hunter2|dispatch\.test/)
    expect(logged).toMatchObject([{ level: 'error', data: { reference: 'ref-1', call: 'keys.lock', name: 'TypeError' } }])
    expect(JSON.stringify(logged)).not.toContain('hunter2')
    expect(JSON.stringify(logged)).toContain('dispatch.test')
  })

  test('a bug that left a part of an edit saved says so, and is logged as what it is', async () => {
    const { dispatch, logged } = throwing(
      new SavedInPart('only 4 changes were saved, and undo reverts them', { cause: new TypeError('x') }),
    )
    const message = 'Something went wrong (reference ref-1), so only 4 changes were saved, and undo reverts them. Try again.'
    expect(await dispatch.command('keys.lock', {})).toMatchObject({ ok: false, error: { kind: 'bug', message } })
    expect(logged).toMatchObject([{ data: { name: 'TypeError' } }])
  })

  test.each([
    ['SQLITE_FULL', 'disk-full'],
    ['SQLITE_IOERR_SHMSIZE', 'disk-full'],
    ['ENOSPC', 'disk-full'],
    ['SQLITE_READONLY', 'folder-read-only'],
    ['SQLITE_READONLY_DBMOVED', 'folder-read-only'],
    ['EACCES', 'folder-read-only'],
    ['EROFS', 'folder-read-only'],
    ['SQLITE_BUSY', 'folder-in-use'],
    ['SQLITE_CORRUPT', 'database-damaged'],
    ['SQLITE_NOTADB', 'database-damaged'],
    ['SQLITE_CONSTRAINT', 'bug'],
    ['ENOENT', 'bug'],
  ])('an error with the code %s is answered as %s', async (code, kind) => {
    const { dispatch } = throwing(Object.assign(new Error('x'), { code }))
    expect(await dispatch.command('keys.lock', {})).toMatchObject({ ok: false, error: { kind } })
  })

  test.each([
    ['a text', 'oops'],
    ['nothing', undefined],
    ['null', null],
  ])('%s thrown is a bug too', async (_, thrown) => {
    const { dispatch } = throwing(thrown)
    expect(await dispatch.command('keys.lock', {})).toMatchObject({ ok: false, error: { kind: 'bug' } })
  })
})
