import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ImportArgs } from '../../../electron/app/imports/plan-import.ts'
import type { Rename } from '../../../electron/bridge/rows.ts'
import { putBase } from '../../../electron/mirror/base-layer.ts'
import { changesOfRow } from '../../../electron/mirror/queue-layer.ts'
import { refreshRow } from '../../../electron/mirror/working-layer.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { deskOf, type Desk } from '../../support/desk.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from './offline-desk.ts'

let desk: OfflineDesk
let environmentId = ''
beforeEach(async () => {
  desk = createOfflineDesk()
  const [id = ''] = await desk.environments('Production')
  environmentId = id
})
afterEach(() => desk.close())

const args = (text: string, more: Partial<ImportArgs> = {}) => ({
  workspaceId,
  environmentId,
  text,
  format: 'env' as const,
  mode: 'replace' as const,
  ...more,
})
const renamesOf = async (text: string) => (await valueOf(desk.handlers['import.preview'](args(text)))).renames
const save = (text: string, renames: Rename[], more: Partial<ImportArgs> = {}) =>
  desk.handlers['import.apply']({ ...args(text, more), seen: asShown, asText: true, renames })
const rows = async () =>
  (await valueOf(desk.handlers['variables.page']({ workspaceId, environmentId, filter: '', offset: 0, limit: 10 }))).rows

test.each([
  ['one removed and one added line of a value', { A: '1', B: '2' }, 'B=2\nC=1\n', [{ from: 'A', to: 'C' }]],
  ['however the value is written', { A: 'x y' }, "C='x y'\n", [{ from: 'A', to: 'C' }]],
  [
    'two renames at once',
    { A: '1', B: '2' },
    'C=2\nD=1\n',
    [
      { from: 'B', to: 'C' },
      { from: 'A', to: 'D' },
    ],
  ],
  ['nothing, if two removed ones had the value', { A: '1', B: '1' }, 'C=1\n', []],
  ['nothing, if two added ones have it', { A: '1' }, 'C=1\nD=1\n', []],
  ['nothing, if the name is still there', { A: '1' }, 'A=1\nC=1\n', []],
  ['nothing, if the name has only another value', { A: '1', B: '2' }, 'B=1\n', []],
  ['no empty values', { A: '' }, 'C=\n', []],
  ['no invalid names', { A: '1' }, 'a/b=1\n', []],
] as const)('a preview proposes as renamed %s', async (_, before, text, renames) => {
  for (const [name, value] of Object.entries(before)) await desk.add(environmentId, name, value)
  expect(await renamesOf(text)).toEqual(renames)
})

test('a renamed line is one change of its variable, which stays as secret as it was, and can be undone', async () => {
  const id = await desk.add(environmentId, 'STRIPE_LIVE', 'sk_4711', { isSecret: true })
  const text = 'STRIPE_PROD=sk_4711\n'
  expect(await valueOf(save(text, await renamesOf(text)))).toEqual({ added: 0, changed: 0, renamed: 1, unchanged: 0, removed: 0 })
  expect(await rows()).toMatchObject([{ id, name: 'STRIPE_PROD', isSecret: true }])
  expect(await valueOf(desk.handlers['undo.status']({ workspaceId }))).toMatchObject({ undo: 'Rename STRIPE_LIVE to STRIPE_PROD' })
  await valueOf(desk.handlers['undo.undo']({ workspaceId }))
  expect(await rows()).toMatchObject([{ id, name: 'STRIPE_LIVE', isSecret: true }])
})

test('a renamed line may have another value and another secrecy', async () => {
  const id = await desk.add(environmentId, 'A', '1', { type: 'number' })
  await valueOf(save('B=2\n', [{ from: 'A', to: 'B' }], { secretNames: [{ name: 'B', isSecret: true }] }))
  expect(await rows()).toMatchObject([{ id, name: 'B', isSecret: true, type: 'number' }])
  expect(await desk.read(environmentId)).toEqual({ B: '2' })
})

test('a renamed line of unknown secrecy that is saved as the secret it was shown as changes only its name', async () => {
  const { session, keys } = desk
  const value = keys.cipher?.seal('1')
  const row = {
    id: 'row',
    kind: 'variable' as const,
    parentId: environmentId,
    fields: { name: 'A', ...(value && { value }), type: 'string' as const },
  }
  session.mirror.write((tx) => {
    putBase(tx, { ...row, remoteId: 'remote', etag: null, createdAt: null, updatedAt: null, updatedBy: null })
    refreshRow(tx, row.id)
  })
  await valueOf(save('B=1\n', [{ from: 'A', to: 'B' }], { secretNames: [{ name: 'B', isSecret: true }] }))
  expect(session.mirror.snapshot((tx) => changesOfRow(tx, 'row')).map(({ patch }) => patch)).toEqual([{ name: 'B' }])
})

test('a renamed line whose variable is renamed at that moment makes a new one that is as secret as it was shown', async () => {
  const id = await desk.add(environmentId, 'A', '1', { isSecret: true })
  await valueOf(desk.handlers['variables.update']({ workspaceId, id, seen: asShown, name: 'THEIRS' }))
  await valueOf(save('B=2\n', [{ from: 'A', to: 'B' }], { keepNames: ['THEIRS'], secretNames: [{ name: 'B', isSecret: true }] }))
  expect(await rows()).toMatchObject([
    { name: 'B', isSecret: true },
    { id, name: 'THEIRS', isSecret: true },
  ])
})

test('without its rename, the same text deletes and adds', async () => {
  const id = await desk.add(environmentId, 'A', '1')
  expect(await valueOf(save('B=1\n', []))).toMatchObject({ added: 1, renamed: 0, removed: 1 })
  const [row] = await rows()
  expect(row?.name).toBe('B')
  expect(row?.id).not.toBe(id)
})

test('a line whose variable was deleted, renamed or given another value meanwhile loses nothing', async () => {
  const deleted = await desk.add(environmentId, 'DELETED', '1')
  const renamed = await desk.add(environmentId, 'RENAMED', '2')
  await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([deleted]) }))
  await valueOf(desk.handlers['variables.update']({ workspaceId, id: renamed, seen: asShown, name: 'THEIRS' }))
  const renames = ['DELETED', 'RENAMED'].map((from, at) => ({ from, to: `NEW_${at}` }))
  await valueOf(save('NEW_0=1\nNEW_1=2\n', renames, { keepNames: ['THEIRS'] }))
  expect(await desk.read(environmentId)).toEqual({ NEW_0: '1', NEW_1: '2', THEIRS: '2' })
})

test('a rename to or from a name that the text leaves alone is none', async () => {
  await desk.add(environmentId, 'A', '1')
  await desk.add(environmentId, 'B', '2')
  expect(await valueOf(save('A=1\nB=2\n', [{ from: 'A', to: 'B' }]))).toMatchObject({ renamed: 0, unchanged: 2 })
  expect(await valueOf(save('B=2\n', [{ from: 'A', to: 'B' }]))).toMatchObject({ renamed: 0, removed: 1, unchanged: 1 })
})

const stage = createServiceStage()

/** Two people with shop/prod, which has A and B; one of them has its text. */
async function twoDesks() {
  const [mine, theirs] = [deskOf(stage.open()), deskOf(stage.open())]
  mine.client.createProject('Shop')
  mine.client.createEnvironment('shop', 'Prod')
  const prodOf = ({ client }: Desk) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  mine.client.setVariable(prodOf(mine), 'A', '1')
  mine.client.setVariable(prodOf(mine), 'B', '2')
  await mine.client.sync()
  await theirs.client.sync()
  const at = { workspaceId, environmentId: prodOf(mine) }
  const { rev } = await valueOf(mine.handlers['text.read'](at))
  const bothSync = async () => {
    for (const { client } of [theirs, mine, theirs]) await client.sync()
  }
  const rename = (text: string) =>
    mine.handlers['import.apply']({
      ...at,
      text,
      format: 'env',
      mode: 'replace',
      seen: rev,
      names: ['NEW'],
      renames: [{ from: 'A', to: 'NEW' }],
    })
  return { mine, theirs, theirProd: prodOf(theirs), bothSync, rename }
}

test('a renamed line keeps the value that others gave its variable meanwhile, if the text has the former one', async () => {
  const { mine, theirs, theirProd, bothSync, rename } = await twoDesks()
  theirs.client.setVariable(theirProd, 'A', 'theirs')
  await bothSync()
  await valueOf(rename('NEW=1\nB=2\n'))
  await bothSync()
  expect(theirs.client.contents()).toMatchObject({ 'shop/prod/NEW': 'theirs', 'shop/prod/B': '2' })
  expect(theirs.client.contents()).toEqual(mine.client.contents())
})

test('a renamed line leaves alone another variable that others gave the former name', async () => {
  const { mine, theirs, theirProd, bothSync, rename } = await twoDesks()
  theirs.client.deleteVariable(theirProd, 'A')
  theirs.client.renameVariable(theirProd, 'B', 'A')
  await bothSync()
  await valueOf(rename('NEW=1\nB=2\n'))
  await bothSync()
  expect(theirs.client.contents()).toMatchObject({ 'shop/prod/NEW': '1', 'shop/prod/A': '2' })
  expect(theirs.client.contents()).toEqual(mine.client.contents())
})
