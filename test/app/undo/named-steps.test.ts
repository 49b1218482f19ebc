import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Edited } from '../../../electron/bridge/result.ts'
import { historyHandlers } from '../../../electron/app/history/history-handlers.ts'
import { bulkHandlers } from '../../../electron/app/bulk/bulk-handlers.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { asShown, rowsAsShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'

/** A user whose latest edit is that of URL. */
interface Scene {
  desk: OfflineDesk
  production: string
  staging: string
  ids: Record<'URL' | 'A' | 'B', string>
}

let scene: Scene
beforeEach(async () => {
  const desk = createOfflineDesk()
  const [production = '', staging = ''] = await desk.environments('Production', 'Staging')
  const ids = {
    A: await desk.add(production, 'A', '1'),
    B: await desk.add(production, 'B', '2'),
    URL: await desk.add(production, 'URL', 'old'),
  }
  await desk.add(staging, 'A', '1')
  await valueOf(desk.handlers['variables.update']({ workspaceId, id: ids.URL, seen: asShown, value: 'new' }))
  scene = { desk, production, staging, ids }
})
afterEach(() => scene.desk.close())

type Ask = (scene: Scene) => Promise<Edited<unknown>>

test.each<[string, Ask]>([
  [
    'giving variables the type that they have',
    ({ desk, ids }) =>
      bulkHandlers(desk.context)['variables.update-many']({ workspaceId, rows: rowsAsShown([ids.A, ids.B]), type: 'string' }),
  ],
  [
    'copying a variable over one that is the same',
    ({ desk, ids, staging }) =>
      bulkHandlers(desk.context)['variables.copy-to']({
        workspaceId,
        rows: rowsAsShown([ids.A]),
        environmentId: staging,
        seen: asShown,
        onTaken: 'overwrite',
        move: false,
      }),
  ],
  [
    'an import of what is there already',
    ({ desk, production }) => desk.handlers['import.apply']({ workspaceId, environmentId: production, seen: asShown, text: 'A=1\n' }),
  ],
])('%s names no step of undo, because it made none', async (_what, ask) => {
  const done = await ask(scene)
  expect(done).toMatchObject({ ok: true })
  expect(done).not.toHaveProperty('step')
})

test('an edit is undone only by its own step, whatever the label, and redone by it', async () => {
  const { desk, ids, production } = scene
  const history = historyHandlers(desk.context)
  const [latest] = await valueOf(history['history.list']({ workspaceId, environmentId: null, variableId: ids.URL }))
  const restored = await history['history.restore']({ workspaceId, entry: latest?.entry ?? 0, variableId: ids.URL, seen: asShown })
  const later = await desk.handlers['variables.update']({ workspaceId, id: ids.URL, seen: asShown, value: 'typed after that' })
  const stepOf = (done: Edited<unknown>): string => (done.ok ? done.step : undefined) ?? 'none'
  const undo = (step: string) => desk.handlers['undo.undo']({ workspaceId, step })

  expect(await undo(stepOf(restored))).toMatchObject({ ok: false, error: { kind: 'not-found' } })
  expect(await desk.read(production)).toMatchObject({ URL: 'typed after that' })
  const undone = await undo(stepOf(later))
  expect(await desk.read(production)).toMatchObject({ URL: 'old' })
  expect(await undo(stepOf(restored))).toMatchObject({ ok: true })
  expect(await desk.read(production)).toMatchObject({ URL: 'new' })
  expect(await desk.handlers['undo.redo']({ workspaceId, step: stepOf(later) })).toMatchObject({ ok: false })
  expect(stepOf(undone)).toBe(stepOf(later))
  await valueOf(desk.handlers['undo.redo']({ workspaceId, step: stepOf(restored) }))
  await valueOf(desk.handlers['undo.redo']({ workspaceId, step: stepOf(later) }))
  expect(await desk.read(production)).toMatchObject({ URL: 'typed after that' })
})
