import { expect, test } from 'vitest'
import { applyStep } from '../../../electron/app/undo/apply-step.ts'
import type { RowImage } from '../../../electron/app/undo/step.ts'
import { getWorking } from '../../../electron/mirror/working-layer.ts'
import { mergeableOf, type Fields } from '../../../electron/queue/fields.ts'
import { createSyncStage } from '../../support/sync-stage.ts'

const { open } = createSyncStage()

/**
 * Redoes a step that gives A the name B, and B another one. `saw`: the former name of B on the screen of whoever made the step, where others
 * had changed it since.
 */
async function redo(saw: string | null) {
  const client = open()
  client.createProject('Shop')
  client.createEnvironment('shop', 'Prod')
  const prod = client.find('environment', client.find('project', null, 'shop').id, 'prod').id
  for (const name of ['A', 'B']) client.setVariable(prod, name, `of ${name}`)
  await client.sync()
  const imageOf = (name: string, next: string, more: (before: Fields) => Partial<RowImage> = () => ({})): RowImage => {
    const { id, kind, parentId, fields } = client.find('variable', prod, name)
    const before = mergeableOf({ kind, parentId, fields })
    return { id, kind, parentId, before, after: { ...before, name: next }, ...more(before) }
  }
  const images = [imageOf('A', 'B'), imageOf('B', 'C', (before) => (saw === null ? {} : { saw: { ...before, name: saw } }))]
  const context = { now: client.now(), newId: client.newId }
  const done = client.mirror.write((tx) => tx.attempt(() => applyStep(tx, context, { label: '', images }, 'redo')))
  return { done, names: client.mirror.snapshot((tx) => images.map(({ id }) => getWorking(tx, id)?.fields.name)) }
}

test('a row makes room for another one of its step that takes its name', async () => {
  expect(await redo(null)).toMatchObject({ done: { ok: true }, names: ['B', 'C'] })
})

test('a row that had another name on the screen makes no room: whether it gives up its name is for its user to decide', async () => {
  const { done, names } = await redo('SEEN')
  expect(done).toMatchObject({
    ok: false,
    error: { overtaken: true, refusal: { message: 'Another variable is now named “B”. Nothing was changed.' } },
  })
  expect(names).toEqual(['A', 'B'])
})
