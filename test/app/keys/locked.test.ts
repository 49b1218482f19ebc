import { afterEach, expect, test } from 'vitest'
import { commandArgs, queryArgs } from '../../../electron/bridge/contract.ts'
import { createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
afterEach(() => stage.clear())

const passphrase = 'four random words here'
const secret = 'sentinel-secret-4711'
const plain = 'sentinel-plain-4711'

test('while Holdfast is locked, nothing that it can be asked or told answers with a value or a key', async () => {
  const it = await stage.start({})
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const project = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  const environment = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
  const place = { workspaceId, environmentId: environment.id }
  const variable = { ...place, type: 'string' as const }
  const { id } = valueOf(await it.command('variables.create', { ...variable, name: 'TOKEN', value: secret, isSecret: true }))
  valueOf(await it.command('variables.create', { ...variable, name: 'URL', value: plain, isSecret: false }))
  await it.until('sync.status', { workspaceId }, ({ state }) => state === 'synced')
  const version = valueOf(await it.command('versions.create', place))
  await it.until('versions.list', place, ({ rows }) => rows.some((row) => row.id === version.id && row.isMirrored))
  const shown = valueOf(await it.query('variables.page', { ...place, filter: 'TOKEN', offset: 0, limit: 1 }))
  const one = { id, seen: shown.rows[0]?.rev ?? 0 }
  valueOf(await it.command('variables.update', { workspaceId, ...one, value: `${secret} once more` }))
  valueOf(await it.command('drafts.keep', { workspaceId, placeId: environment.id, draft: secret }))
  const { recoveryKey } = valueOf(await it.query('keys.recovery', { workspaceId }))

  /** What fits each argument by its name; arguments without an entry are left out. */
  const fitting: Record<string, unknown> = {
    ...place,
    id: one.id,
    ids: [one.id],
    ends: null,
    exceptId: null,
    projectId: project.id,
    placeId: environment.id,
    versionId: version.id,
    variableId: one.id,
    changeId: one.id,
    entries: Array.from({ length: 20 }, (_, index) => index),
    of: { environmentId: environment.id, since: 0 },
    rows: [{ id: one.id, seen: one.seen }],
    to: [{ environmentId: environment.id, seen: one.seen }],
    from: null,
    fromId: one.id,
    renamed: { id: one.id, from: 'TOKEN_BEFORE' },
    seen: one.seen,
    names: ['TOKEN', 'URL'],
    name: 'TOKEN',
    filter: '',
    only: 'all',
    offset: 0,
    limit: 50,
    reveal: true,
    resolve: true,
    text: '${TOKEN} ${URL}',
    format: 'env',
    value: '${TOKEN}',
    type: 'string',
    isSecret: false,
    move: false,
    onTaken: 'overwrite',
    fingerprint: 'x',
    token: 'x',
    draft: 'x',
    pin: '123456',
    current: 'not it at all',
    next: 'another passphrase',
    passphrase: 'not it at all',
    store: 'vault',
    on: false,
  }
  const argsOf = (shape: object) => Object.fromEntries(Object.keys(shape).flatMap((key) => (key in fitting ? [[key, fitting[key]]] : [])))
  const queries = Object.entries(queryArgs).flatMap(([name, schema]) => {
    const args = argsOf(schema.shape)
    return schema.safeParse(args).success ? [() => it.app.query(name, args)] : []
  })
  const commands = Object.entries(commandArgs).flatMap(([name, schema]) => {
    // Told to remember, the page is given back what it sent; told to delete, there is nothing left to ask for.
    const args = argsOf(schema.shape)
    return /\.(keep|delete|remove)$/.test(name) || !schema.safeParse(args).success ? [] : [() => it.app.command(name, args)]
  })
  const heard = async (asked: readonly (() => Promise<unknown>)[]) => {
    const answers: unknown[] = []
    for (const ask of asked) answers.push(await ask())
    return JSON.stringify(answers)
  }
  const opened = await heard(queries)
  for (const sentinel of [secret, plain, recoveryKey]) expect(opened).toContain(sentinel)
  // A new query needs what fits its arguments above.
  expect(queries).toHaveLength(Object.keys(queryArgs).length)
  expect(commands.length).toBeGreaterThan(40)

  valueOf(await it.command('keys.lock', {}))
  for (const asked of [queries, commands, queries]) {
    const answers = await heard(asked)
    for (const sentinel of [secret, plain, recoveryKey]) expect(answers).not.toContain(sentinel)
  }
})
