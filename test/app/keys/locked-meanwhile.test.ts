import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { queueHandlers } from '../../../electron/app/queue/queue-handlers.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import { asShown } from '../../support/as-shown.ts'
import { valueOf } from '../../support/value-of.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'

let desk: OfflineDesk
afterEach(() => desk.close())

const lines = Array.from({ length: 1500 }, (_, n) => `NAME_${n}=value ${n}\n`).join('')
type Ask = (desk: OfflineDesk, environmentId: string) => Promise<Result<unknown>>

/** Reads that let other work run while they have values. */
test.each<[string, Ask]>([
  [
    'an export',
    ({ handlers }, environmentId) => handlers['export.text']({ workspaceId, environmentId, format: 'env', reveal: true, resolve: false }),
  ],
  ['an environment as text', ({ handlers }, environmentId) => handlers['text.read']({ workspaceId, environmentId })],
  ['the preview of an import', ({ handlers }, environmentId) => handlers['import.preview']({ workspaceId, environmentId, text: lines })],
  ['unsent changes as .env', ({ context }) => queueHandlers(context)['queue.export']({ workspaceId, format: 'env' })],
])('%s has no answer but that the keys are locked, whenever they are locked meanwhile', async (_what, ask) => {
  desk = createOfflineDesk()
  const places = await desk.environments('A', 'B')
  for (const environmentId of places)
    await valueOf(desk.handlers['import.apply']({ workspaceId, environmentId, text: lines, seen: asShown }))
  const [environmentId = ''] = places
  const { cipher } = desk.keys
  for (let turns = 0; ; turns += 1) {
    desk.keys.cipher = cipher
    let isAnswered = false
    const asked = ask(desk, environmentId).finally(() => (isAnswered = true))
    for (let turn = 0; turn < turns && !isAnswered; turn += 1) await nextTurn()
    if (isAnswered) {
      expect(turns).toBeGreaterThan(1)
      return
    }
    desk.keys.cipher = null
    expect(await asked).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  }
})
