import { expect, test } from 'vitest'
import { checkRepairedValues } from '../../../electron/app/repair/check-repaired-values.ts'
import { build } from '../../../electron/mirror/tx.ts'
import { setState } from '../../../electron/mirror/workspace-state.ts'
import { loseAnswer, type TestClient } from '../../support/build-client.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { advance } from '../../../electron/mirror/queue-layer.ts'
import { refreshRow } from '../../../electron/mirror/working-layer.ts'
import type { SealedValue } from '../../../electron/queue/fields.ts'

const stage = createServiceStage()

const harmed = (value: SealedValue): SealedValue => ({ ...value, sealed: `${value.sealed.slice(0, -8)}AAAA${value.sealed.slice(-4)}` })

/** shop/prod with TOKEN = first on the service, and an edit of it that a repair has parked because its value was damaged. */
async function withHarmed(): Promise<{ desk: Desk; prod: string; staging: string; token: string }> {
  const client = stage.open()
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  client.createEnvironment('shop', 'Staging')
  const shop = client.find('project', null, 'shop').id
  const prod = client.find('environment', shop, 'prod').id
  const staging = client.find('environment', shop, 'staging').id
  client.setVariable(prod, 'TOKEN', 'first')
  await client.sync()
  client.setVariable(prod, 'TOKEN', 'mine')
  client.mirror.write((tx) => {
    for (const change of client.queue()) {
      const patch = change.patch.value && { value: harmed(change.patch.value) }
      const damaged = patch && advance(tx, change, { is: 'revise', id: client.newId(), patch })
      if (damaged) advance(tx, damaged, { is: 'reject', reason: 'Its value was damaged.' })
      // A repair builds the working layer from base and queue.
      refreshRow(tx, change.rowId)
    }
  })
  await client.sync()
  expect(client.queue()).toMatchObject([{ state: 'failed' }])
  return { desk: deskOf(client), prod, staging, token: client.find('variable', prod, 'TOKEN').id }
}

/** What a colleague reads. */
async function onService({ client }: Desk): Promise<Record<string, string>> {
  await client.sync()
  const other = stage.open()
  await other.sync()
  return other.contents()
}
const untouched = { shop: '', 'shop/prod': '', 'shop/staging': '', 'shop/prod/TOKEN': 'first' }

/** What a user does with such a variable. */
const deeds: [string, (scene: Awaited<ReturnType<typeof withHarmed>>) => Promise<unknown>][] = [
  [
    'another secrecy',
    ({ desk, token }) => desk.handlers['variables.update-many']({ workspaceId, rows: rowsAsShown([token]), isSecret: true }),
  ],
  ['a move', ({ desk, token, staging }) => desk.handlers['variables.copy-to']({ ...copyTo(staging, token), move: true })],
  ['a copy', ({ desk, token, staging }) => desk.handlers['variables.copy-to']({ ...copyTo(staging, token), move: false })],
  ['a duplicate', ({ desk, token }) => desk.handlers['variables.duplicate']({ workspaceId, id: token, seen: asShown })],
  [
    'a copy across a comparison',
    ({ desk, token, staging }) =>
      desk.handlers['compare.copy']({ workspaceId, from: { id: token, seen: asShown }, to: [{ environmentId: staging, seen: asShown }] }),
  ],
  [
    'a deletion that is undone',
    async ({ desk, token }) => {
      await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: rowsAsShown([token]) }))
      await desk.handlers['undo.undo']({ workspaceId })
    },
  ],
]

const copyTo = (environmentId: string, id: string) =>
  ({ workspaceId, rows: rowsAsShown([id]), environmentId, seen: asShown, onTaken: 'skip' }) as const

test.each(deeds)('a damaged value is not sent with %s, and what is not sent says why', async (_what, deed) => {
  const scene = await withHarmed()
  await deed(scene)
  expect(await onService(scene.desk)).toEqual(untouched)
  const left = scene.desk.client.queue()
  expect(left.length).toBeGreaterThan(0)
  for (const { state, reason } of left) expect({ state, reason }).toEqual({ state: 'failed', reason: expect.stringContaining('damaged') })
})

/** Damages the value of each unsent change, as a repair then finds it. */
function repairHarmed(client: TestClient): void {
  client.mirror.write((tx) => {
    for (const { seq, rowId, patch } of client.queue()) {
      const damaged = patch.value && { ...patch, value: harmed(patch.value) }
      if (damaged)
        tx.run(
          build
            .updateTable('queue')
            .set({ patch: JSON.stringify(damaged) })
            .where('seq', '=', seq),
        )
      refreshRow(tx, rowId)
    }
    setState(tx, 'values-unchecked', 'yes')
  })
  checkRepairedValues(client.mirror, client.cipher, () => client.newId())
}

test.each([
  { how: 'never arrived', theirs: false },
  { how: 'arrived', theirs: false },
  { how: 'arrived and was changed by others', theirs: true },
])('a new variable that $how has the value typed again after the first was damaged, or asks', async ({ how, theirs }) => {
  const client = stage.open()
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const prodOf = (who: TestClient) => who.find('environment', who.find('project', null, 'shop').id, 'prod').id
  await client.sync()
  client.setVariable(prodOf(client), 'TOKEN', 'mine')
  let isSent = false
  client.network = (forward, request) => {
    if (isSent) return Promise.reject(new TypeError('terminated'))
    if (request.method === 'GET') return forward()
    isSent = true
    return how === 'never arrived' ? Promise.reject(new TypeError('terminated')) : loseAnswer(forward, request)
  }
  await client.sync()
  expect(client.queue()).toMatchObject([{ kind: 'create', state: 'sending' }])
  const other = stage.open()
  if (theirs) {
    await other.sync()
    other.setVariable(prodOf(other), 'TOKEN', 'theirs')
    await other.sync()
  }
  repairHarmed(client)
  client.setVariable(prodOf(client), 'TOKEN', 'again')
  client.network = (forward) => forward()
  await client.sync()
  await other.sync()
  expect(client.queue()).toMatchObject(theirs ? [{ state: 'conflict' }] : [])
  expect(client.contents()['shop/prod/TOKEN']).toBe('again')
  expect(other.contents()['shop/prod/TOKEN']).toBe(theirs ? 'theirs' : 'again')
})
