import { expect, test } from 'vitest'
import { applyStep } from '../../../electron/app/undo/apply-step.ts'
import { deskOf, workspaceId, type Desk } from '../../support/desk.ts'
import { createServiceStage } from '../../support/service-stage.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

const stage = createServiceStage()

const open = (): Desk => deskOf(stage.open())

/** shop/prod with A, to which mine and theirs gave another value; mine was not sent. */
async function apart(): Promise<{ desk: Desk; prod: string; a: string }> {
  const [desk, other] = [open(), open()]
  desk.client.createProject('Shop')
  desk.client.createEnvironment('shop', 'Prod')
  const prodOf = ({ client }: Desk) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  const prod = prodOf(desk)
  desk.client.setVariable(prod, 'A', 'was')
  await desk.client.sync()
  await other.client.sync()
  other.client.setVariable(prodOf(other), 'A', 'theirs')
  await other.client.sync()
  const a = desk.client.find('variable', prod, 'A').id
  await valueOf(desk.handlers['variables.update']({ seen: asShown, workspaceId, id: a, value: 'mine' }))
  return { desk, prod, a }
}

test('an import over a variable in conflict that is cancelled leaves the variable and its question as they were', async () => {
  const { desk, prod } = await apart()
  await desk.client.sync()
  expect(desk.client.queue()).toMatchObject([{ state: 'conflict' }])
  const before = desk.client.queue()
  const text = `A=imported\n${Array.from({ length: 3000 }, (_, n) => `NAME_${n}=x`).join('\n')}`
  const applied = desk.handlers['import.apply']({ seen: asShown, workspaceId, environmentId: prod, text, token: 't' })
  while ((await valueOf(desk.handlers['import.progress']({ token: 't' })))?.stage !== 'saving') {
    await new Promise((resolve) => setImmediate(resolve))
  }
  await valueOf(desk.handlers['import.cancel']({ token: 't' }))
  expect(await applied).toMatchObject({ ok: false, error: { kind: 'cancelled' } })
  expect(desk.client.contents()).toEqual({ shop: '', 'shop/prod': '', 'shop/prod/A': 'mine' })
  const plain = desk.client.queue().map((change) => ({ ...change, patch: desk.client.cipher.open(change.patch.value?.sealed ?? '') }))
  expect(plain).toMatchObject([{ rowId: before[0]?.rowId, state: 'conflict', patch: 'mine', conflict: { kind: 'fields' } }])
})

test('what came into conflict meanwhile and is taken back asks nothing any more', async () => {
  const { desk, a } = await apart()
  await desk.client.sync()
  expect(desk.client.queue()).toMatchObject([{ rowId: a, state: 'conflict' }])
  const step = desk.context.undo.next(workspaceId, 'undo')
  if (step === null) throw new Error('nothing to undo')
  const { newId } = desk.context
  const done = desk.client.mirror.write((tx) => applyStep(tx, { now: 0, newId }, step, 'undo', { evenInConflict: true }))
  expect(done).toMatchObject({ ok: true })
  expect(desk.client.queue()).toEqual([])
  expect(desk.client.contents()['shop/prod/A']).toBe('theirs')
  expect(desk.client.drift()).toEqual([])
})
