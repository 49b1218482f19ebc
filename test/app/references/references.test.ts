import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

let desk: OfflineDesk
let production = ''
let staging = ''
beforeEach(async () => {
  desk = createOfflineDesk()
  const [first = '', second = ''] = await desk.environments('Production', 'Staging')
  production = first
  staging = second
})
afterEach(() => desk.close())

const resolve = (id: string, reveal = false) => valueOf(desk.handlers['references.resolve']({ workspaceId, id, reveal }))
const preview = (text: string, id: string | null = null, reveal = false) =>
  valueOf(desk.handlers['references.preview']({ workspaceId, environmentId: production, id, text, reveal }))
const suggest = (text: string) => valueOf(desk.handlers['references.suggest']({ workspaceId, environmentId: production, text }))
const problems = () => valueOf(desk.handlers['references.problems']({ workspaceId, environmentId: production }))

describe('a resolved value', () => {
  test('puts in variables of this and of other environments; the stored value stays as typed', async () => {
    const id = await desk.add(production, 'URL', 'http://${HOST}:${staging.PORT}/$${X}')
    await desk.add(production, 'HOST', 'shop')
    await desk.add(staging, 'PORT', '80')
    expect(await resolve(id)).toEqual({ state: 'shown', value: 'http://shop:80/${X}', hasReferences: true, problems: [] })
    expect(await valueOf(desk.handlers['variables.values']({ workspaceId, ids: [id], reveal: false }))).toEqual([
      { id, rev: 0, state: 'shown', value: 'http://${HOST}:${staging.PORT}/$${X}' },
    ])
  })

  test('prefers a variable of this environment whose name has a dot', async () => {
    const id = await desk.add(production, 'A', '${staging.PORT}')
    await desk.add(production, 'staging.PORT', 'here')
    await desk.add(staging, 'PORT', 'there')
    expect((await resolve(id)).value).toBe('here')
  })

  test('is masked when a secret is put into it, until revealed', async () => {
    const id = await desk.add(production, 'URL', 'x${staging.TOKEN}')
    await desk.add(staging, 'TOKEN', 'sentinel', { isSecret: true })
    expect(await resolve(id)).toEqual({ state: 'masked', value: null, hasReferences: true, problems: [] })
    expect((await resolve(id, true)).value).toBe('xsentinel')
  })

  test('is masked when everything is', async () => {
    const id = await desk.add(production, 'A', 'x')
    desk.settings.maskAll = true
    expect((await resolve(id)).state).toBe('masked')
    expect(await valueOf(desk.handlers['variables.values']({ workspaceId, ids: [id], reveal: false }))).toEqual([
      { id, rev: 0, state: 'masked' },
    ])
    expect((await resolve(id, true)).value).toBe('x')
  })

  test('says where it goes wrong', async () => {
    const id = await desk.add(production, 'A', '${B}')
    await desk.add(production, 'B', '${nowhere.C}')
    expect(await resolve(id)).toEqual({
      state: 'shown',
      value: '${nowhere.C}',
      hasReferences: true,
      problems: [{ kind: 'missing', path: ['A', 'B', 'nowhere.C'] }],
    })
  })

  test('of a variable that is gone is not found', async () => {
    expect(await desk.handlers['references.resolve']({ workspaceId, id: 'none', reveal: true })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
  })
})

describe('suggestions', () => {
  beforeEach(async () => {
    await desk.add(production, 'DB_HOST', '1')
    await desk.add(production, 'HOST', '1', { isSecret: true })
    await desk.add(production, 'odd name', '1')
    await desk.add(staging, 'PORT', '1')
  })

  test.each([
    ['', ['DB_HOST', 'HOST']],
    ['host', ['HOST', 'DB_HOST']],
    ['sta', ['staging.PORT']],
    ['staging.', ['staging.PORT']],
    ['staging.po', ['staging.PORT']],
    ['staging.x', []],
    ['%', []],
    ['zzz', []],
  ])('for %j', async (text, inserts) => {
    expect((await suggest(text)).map(({ insert }) => insert)).toEqual(inserts)
  })

  test('are in the order of the table: regardless of case, numbers by their size', async () => {
    for (const name of ['KEY_10', 'key_b', 'key_9', 'KEY_A']) await desk.add(production, name, 'x')
    expect((await suggest('key')).map(({ insert }) => insert)).toEqual(['key_9', 'KEY_10', 'KEY_A', 'key_b'])
  })

  test('say where a variable is and whether it is secret', async () => {
    expect(await suggest('HOST')).toContainEqual({ insert: 'HOST', environment: null, isSecret: true })
    expect(await suggest('staging.P')).toEqual([{ insert: 'staging.PORT', environment: 'staging', isSecret: false }])
  })
})

describe('flags', () => {
  test('stand at every variable whose references do not all resolve, and go when they do', async () => {
    const a = await desk.add(production, 'A', '${B}')
    const b = await desk.add(production, 'B', '${C}')
    const round = await desk.add(production, 'R', '${staging.R}')
    await desk.add(staging, 'R', '${production.R}')
    await desk.add(production, 'FINE', '${D}')
    await desk.add(production, 'D', 'x')
    const flags = new Map((await problems()).map(({ id, kinds }) => [id, kinds]))
    expect(flags).toEqual(
      new Map([
        [a, ['missing']],
        [b, ['missing']],
        [round, ['circular']],
      ]),
    )
    await desk.add(production, 'C', 'x')
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: round, value: 'x' }))
    expect(await problems()).toEqual([])
  })

  test('of an environment that is gone are not found, and need the keys', async () => {
    expect(await desk.handlers['references.problems']({ workspaceId, environmentId: 'none' })).toMatchObject({
      ok: false,
      error: { kind: 'not-found' },
    })
    desk.keys.cipher = null
    expect(await desk.handlers['references.problems']({ workspaceId, environmentId: production })).toMatchObject({
      ok: false,
      error: { kind: 'keys-locked' },
    })
  })
})

describe('a value being typed', () => {
  test('is put together as it would be, of a new variable as of one that is there', async () => {
    const id = await desk.add(production, 'URL', 'old')
    await desk.add(production, 'HOST', 'shop')
    const whole = { state: 'shown', value: 'https://shop', hasReferences: true, problems: [] }
    expect(await preview('https://${HOST}', id)).toEqual(whole)
    expect(await preview('https://${HOST}')).toEqual(whole)
    expect(await preview('plain')).toEqual({ state: 'shown', value: 'plain', hasReferences: false, problems: [] })
  })

  test('that leads back to its own variable is a circle, also by way of another one', async () => {
    const id = await desk.add(production, 'A', 'old')
    await desk.add(production, 'B', '${A}')
    expect((await preview('${B}', id)).problems).toEqual([{ kind: 'circular', path: ['A', 'B', 'A'] }])
    expect((await preview('${A}', id)).problems).toEqual([{ kind: 'circular', path: ['A', 'A'] }])
  })

  test('shows its own text, but of other secrets only what was asked for', async () => {
    const id = await desk.add(production, 'TOKEN', 'old', { isSecret: true })
    await desk.add(production, 'OTHER', 'sentinel', { isSecret: true })
    expect((await preview('mine', id)).value).toBe('mine')
    expect(await preview('${OTHER}', id)).toEqual({ state: 'masked', value: null, hasReferences: true, problems: [] })
    expect((await preview('${OTHER}', id, true)).value).toBe('sentinel')
  })

  test('says what is not there', async () => {
    expect((await preview('${NOWHERE}')).problems).toEqual([{ kind: 'missing', path: ['', 'NOWHERE'] }])
  })
})

describe('references to a renamed variable', () => {
  const whole = { HOST: 'shop', URL: 'https://${HOST}', LINK: '${URL}/x', BACK: '${HOST}:${HOST}' }
  const renamedAll = { DB_HOST: 'shop', URL: 'https://${DB_HOST}', LINK: '${URL}/x', BACK: '${DB_HOST}:${DB_HOST}' }
  let host = ''
  let others: string[] = []
  beforeEach(async () => {
    const ids: string[] = []
    for (const [name, value] of Object.entries(whole)) ids.push(await desk.add(production, name, value))
    ;[host = '', ...others] = ids
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: host, name: 'DB_HOST' }))
  })

  const follow = (ids = others) => desk.handlers['references.rename']({ workspaceId, renamed: { id: host, from: 'HOST' }, ids })
  const undo = () => valueOf(desk.handlers['undo.undo']({ workspaceId }))
  const redo = () => valueOf(desk.handlers['undo.redo']({ workspaceId }))

  test('are left as they are where no reference can name the name it has by now', async () => {
    await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: host, name: 'the host' }))
    expect(await follow()).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    expect(await desk.read(production)).toMatchObject({ URL: 'https://${HOST}', BACK: '${HOST}:${HOST}' })
  })

  test('are renamed in the others that have them, and one undo takes all of it back with the renaming', async () => {
    expect(await valueOf(follow())).toEqual({ names: ['URL', 'BACK'] })
    expect(await desk.read(production)).toEqual(renamedAll)
    expect(await undo()).toMatchObject({ label: 'Rename HOST to DB_HOST and its references' })
    expect(await desk.read(production)).toEqual(whole)
    expect(await redo()).toMatchObject({ label: 'Rename HOST to DB_HOST and its references' })
    expect(await desk.read(production)).toEqual(renamedAll)
  })

  test('are found and renamed in other environments too, which name this one by its slug', async () => {
    const outdated = async () => {
      const found = await valueOf(desk.handlers['references.outdated']({ workspaceId, renamed: { id: host, from: 'HOST' } }))
      return found.map(({ id }) => id)
    }
    const near = await desk.add(production, 'SELF', '${production.HOST}')
    const far = await desk.add(staging, 'FAR', '${production.HOST}, ${HOST} and $${production.HOST}')
    await desk.add(staging, 'UNRELATED', '${HOST}')
    expect(new Set(await outdated())).toEqual(new Set([others[0], others[2], near, far]))
    await valueOf(follow([...others, near, far]))
    expect(await desk.read(staging)).toMatchObject({ FAR: '${production.DB_HOST}, ${HOST} and $${production.HOST}', UNRELATED: '${HOST}' })
    expect(await desk.read(production)).toMatchObject({ SELF: '${production.DB_HOST}' })
    expect(await outdated()).toEqual([])
  })

  test('are none in another environment where a variable has that whole name, nor once a variable has the former name', async () => {
    const far = await desk.add(staging, 'FAR', '${production.HOST}')
    await desk.add(staging, 'production.HOST', 'here')
    const outdated = () => valueOf(desk.handlers['references.outdated']({ workspaceId, renamed: { id: host, from: 'HOST' } }))
    expect((await outdated()).map(({ id }) => id)).not.toContain(far)
    expect(await valueOf(follow([far]))).toEqual({ names: [] })
    await desk.add(production, 'HOST', 'another')
    expect(await outdated()).toEqual([])
    expect(await valueOf(follow([...others, far]))).toEqual({ names: [] })
  })

  test('are none in another environment where the new one would mean a variable with that whole name', async () => {
    const far = await desk.add(staging, 'FAR', '${production.HOST}')
    await desk.add(staging, 'production.DB_HOST', 'here')
    const outdated = await valueOf(desk.handlers['references.outdated']({ workspaceId, renamed: { id: host, from: 'HOST' } }))
    expect(outdated.map(({ id }) => id)).not.toContain(far)
    expect(await valueOf(follow([far]))).toEqual({ names: [] })
  })

  test('are none in another project', async () => {
    const { id: projectId } = await valueOf(desk.handlers['projects.create']({ workspaceId, name: 'Other' }))
    const { id: environmentId } = await valueOf(desk.handlers['environments.create']({ workspaceId, projectId, name: 'Elsewhere' }))
    const far = await desk.add(environmentId, 'FAR', '${production.HOST}')
    expect(await valueOf(follow([far]))).toEqual({ names: [] })
  })

  test('are a step of their own after another edit', async () => {
    await desk.add(production, 'NEW', '1')
    await valueOf(follow())
    expect(await undo()).toMatchObject({ label: 'Rename references to HOST' })
    expect(await desk.read(production)).toEqual({ ...whole, DB_HOST: 'shop', HOST: undefined, NEW: '1' })
  })

  test('leave no step where none is renamed', async () => {
    expect(await valueOf(follow(others.slice(1, 2)))).toEqual({ names: [] })
    expect(await undo()).toMatchObject({ label: 'Rename HOST to DB_HOST' })
  })

  test('of a variable that no longer exists are not found', async () => {
    await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: [{ id: host, seen: asShown }] }))
    expect(await follow()).toMatchObject({ ok: false, error: { kind: 'not-found' } })
    expect(await desk.read(production)).toEqual({ ...whole, HOST: undefined })
  })
})
