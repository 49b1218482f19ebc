import { expect, test } from 'vitest'
import { beginBinding, continueBinding, endBinding } from '../../../electron/app/unverified/bind-values.ts'
import { isBound } from '../../../electron/cipher/stored-value.ts'
import { allBase, getBase, putBase } from '../../../electron/mirror/base-layer.ts'
import { asShown } from '../../support/as-shown.ts'
import { sends, unreachable } from '../../support/build-client.ts'
import { deskOf, workspaceId } from '../../support/desk.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { Person } from '../seen/two-people.ts'
import { valueOf } from '../../support/value-of.ts'

const stage = createServiceStage()

const join = (values?: 'bound'): Person => new Person(deskOf(stage.open(values && { values })))

const contextOf =
  ({ desk: { client } }: Person) =>
  () => ({ now: client.now(), newId: client.newId })
const boundOf = ({ desk: { client } }: Person): boolean[] =>
  client.mirror
    .snapshot(allBase)
    .filter(({ kind }) => kind === 'variable')
    .map(({ fields }) => isBound(fields.value?.sealed ?? ''))
const unverifiedOf = async ({ handlers }: Person) => (await valueOf(handlers['unverified.list']({ workspaceId }))).total
const policyOf = async ({ handlers }: Person) => (await valueOf(handlers['sync.status']({ workspaceId }))).values

test('an open workspace is bound by queued changes, goes on after an interruption, and takes nothing else once all are', async () => {
  const me = join()
  const { client } = me.desk
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  for (const name of ['A', 'B', 'C']) me.set('prod', name, `${name} as it was`)
  await me.sync()
  expect(boundOf(me)).toEqual([false, false, false])
  expect(await policyOf(me)).toBe('open')

  beginBinding(client.mirror)
  expect(await continueBinding(client.mirror, client.cipher, contextOf(me))).toBe(3)
  expect(await policyOf(me)).toBe('binding')
  endBinding(client.mirror, client.cipher)
  expect(await policyOf(me)).toBe('binding')
  client.restart()
  // What is queued already is not queued twice.
  expect(await continueBinding(client.mirror, client.cipher, contextOf(me))).toBe(0)
  await client.sync()
  expect(boundOf(me)).toEqual([true, true, true])
  expect(client.queue()).toEqual([])
  expect(await policyOf(me)).toBe('bound')
  expect(me.contents()).toMatchObject({ 'shop/prod/A': 'A as it was', 'shop/prod/C': 'C as it was' })

  const other = join()
  await other.sync()
  const bound = join('bound')
  await bound.sync()
  expect(await unverifiedOf(bound)).toBe(0)
  // A computer that still takes everything keeps what is bound so.
  other.set('prod', 'A', 'changed there')
  other.set('prod', 'D', 'bound to nothing')
  await other.sync()
  await me.sync()
  expect(me.contents()).toMatchObject({ 'shop/prod/A': 'changed there' })
  expect(await valueOf(me.handlers['unverified.list']({ workspaceId }))).toMatchObject({ rows: [{ name: 'D', doubt: 'unbound' }] })
})

test('a file of unsent changes leaves out values that are only being bound, so applying it reverts nobody’s value', async () => {
  const [me, colleague] = [join(), join()]
  const { client } = me.desk
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  for (const name of ['A', 'B']) me.set('prod', name, `${name} as it was`)
  await me.sync()
  client.network = unreachable
  beginBinding(client.mirror)
  await continueBinding(client.mirror, client.cipher, contextOf(me))
  client.updateVariable((await me.row('prod', 'B')).id, { name: 'RENAMED' })
  const file = await valueOf(me.handlers['queue.export']({ workspaceId, format: 'json' }))
  expect(file.edits).toBe(1)
  expect(await valueOf(me.handlers['queue.export']({ workspaceId, format: 'env' }))).toMatchObject({
    text: expect.not.stringContaining('as it was') as unknown,
  })
  await colleague.sync()
  for (const name of ['A', 'B']) colleague.set('prod', name, `${name} of the colleague`)
  await colleague.sync()
  client.network = (forward) => forward()
  await me.sync()
  await valueOf(me.handlers['queue.apply']({ workspaceId, text: file.text, seen: asShown }))
  await me.sync()
  expect(me.contents()).toMatchObject({ 'shop/prod/A': 'A of the colleague', 'shop/prod/RENAMED': 'B of the colleague' })
})

test('a value that comes while the last ones are looked at is bound too, before nothing else is taken', async () => {
  const [me, other] = [join(), join()]
  const { client } = me.desk
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  for (const name of ['A', 'B']) me.set('prod', name, `${name} as it was`)
  await me.sync()
  await other.sync()
  beginBinding(client.mirror)
  me.set('prod', 'A', 'bound by an edit')
  const { id } = await me.row('prod', 'B')
  client.updateVariable(id, { isSecret: true })
  await client.engine.syncNow()

  other.set('prod', 'Z', 'bound to nothing')
  await other.sync()
  const looking = continueBinding(client.mirror, client.cipher, contextOf(me))
  // The look is over the first of them; what comes now lies behind it.
  const { sealed } = client.cipher.seal('bound to nothing')
  const b = client.mirror.snapshot((tx) => getBase(tx, id))
  if (b === null) throw new Error('no B')
  client.mirror.write((tx) =>
    putBase(tx, { ...b, id: '0', remoteId: 'behind', fields: { ...b.fields, name: 'Y', value: client.cipher.tagged(sealed) } }),
  )
  await looking
  endBinding(client.mirror, client.cipher)
  expect(await policyOf(me)).toBe('binding')
})

test('moves, renames, other types and secrecy stay verified for everybody', async () => {
  const [me, other] = [join('bound'), join('bound')]
  const { client } = me.desk
  client.createProject('Shop')
  for (const name of ['Dev', 'Prod']) client.createEnvironment('shop', name)
  me.set('prod', 'KEY', 'one')
  await me.sync()
  const { id } = await me.row('prod', 'KEY')
  for (const input of [{ name: 'RENAMED' }, { type: 'number' as const }, { isSecret: true }]) {
    client.updateVariable(id, input)
    await me.sync()
    await other.sync()
    expect(await unverifiedOf(other)).toBe(0)
  }
  const seen = { id, seen: (await me.row('prod', 'RENAMED')).rev }
  const target = { workspaceId, environmentId: me.environmentId('dev'), onTaken: 'skip' as const, seen: 0, move: true }
  await valueOf(me.handlers['variables.copy-to']({ ...target, rows: [seen] }))
  await me.sync()
  await other.sync()
  expect(other.contents()).toMatchObject({ 'shop/dev/RENAMED': 'one' })
  expect([await unverifiedOf(me), await unverifiedOf(other)]).toEqual([0, 0])
})

test('what a rollback brings back is verified here, and for others once it was sealed anew', async () => {
  const [me, other] = [join('bound'), join('bound')]
  const { client } = me.desk
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  me.set('prod', 'KEY', 'one')
  await me.sync()
  const environmentId = me.environmentId('prod')
  await valueOf(me.handlers['versions.create']({ workspaceId, environmentId, label: 'first' }))
  await me.sync()
  me.set('prod', 'KEY', 'two')
  await me.sync()
  await other.sync()
  const list = await valueOf(me.handlers['versions.list']({ workspaceId, environmentId }))
  const version = list.rows.find(({ label }) => label === 'first')
  if (version === undefined) throw new Error('no version')
  const { fingerprint } = await valueOf(me.handlers['versions.preview-rollback']({ workspaceId, versionId: version.id }))
  await valueOf(me.handlers['versions.rollback']({ workspaceId, versionId: version.id, fingerprint }))
  await me.sync()
  await me.sync()
  await other.sync()
  expect([me.contents(), other.contents()]).toMatchObject([{ 'shop/prod/KEY': 'one' }, { 'shop/prod/KEY': 'one' }])
  expect([await unverifiedOf(me), await unverifiedOf(other)]).toEqual([0, 0])
  expect(client.queue()).toEqual([])
})

test('an edit of a variable that others moved to a new environment meanwhile is sealed to that one', async () => {
  const [me, them] = [join('bound'), join('bound')]
  me.desk.client.createProject('Shop')
  me.desk.client.createEnvironment('shop', 'Prod')
  me.set('prod', 'KEY', 'one')
  await me.sync()
  await them.sync()
  me.set('prod', 'KEY', 'two')
  let hasMoved = false
  me.desk.client.network = async (forward, request) => {
    if (sends('update variable', request) && !hasMoved) {
      // After everything was pulled here, and before the edit arrives.
      hasMoved = true
      them.desk.client.createEnvironment('shop', 'New')
      const [row, { id: environmentId, rev }] = [await them.row('prod', 'KEY'), await them.environment('new')]
      const rows = [{ id: row.id, seen: row.rev }]
      await valueOf(them.handlers['variables.copy-to']({ workspaceId, rows, environmentId, seen: rev, onTaken: 'skip', move: true }))
      await them.sync()
    }
    return forward()
  }
  await me.sync()
  await me.sync()
  await them.sync()
  for (const person of [me, them]) {
    expect(person.contents()).toEqual({ shop: '', 'shop/new': '', 'shop/new/KEY': 'two', 'shop/prod': '' })
    expect(await unverifiedOf(person)).toBe(0)
  }
})
