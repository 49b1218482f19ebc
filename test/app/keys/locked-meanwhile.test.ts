import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { queueHandlers } from '../../../electron/app/queue/queue-handlers.ts'
import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import { ok, type Result } from '../../../electron/bridge/result.ts'
import type { KeyStore } from '../../../electron/keychain/key-store.ts'
import { asShown } from '../../support/as-shown.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
let desk: OfflineDesk | null = null
afterEach(async () => {
  desk?.close()
  desk = null
  await stage.clear()
})

const lines = Array.from({ length: 1500 }, (_, n) => `NAME_${n}=value ${n}\n`).join('')
type Ask = (desk: OfflineDesk, environmentId: string) => Promise<Result<unknown>>

/** Reads that let other work run while they have values. */
const reads: [string, Ask][] = [
  [
    'an export',
    ({ handlers }, environmentId) => handlers['export.text']({ workspaceId, environmentId, format: 'env', reveal: true, resolve: false }),
  ],
  ['an environment as text', ({ handlers }, environmentId) => handlers['text.read']({ workspaceId, environmentId })],
  ['the preview of an import', ({ handlers }, environmentId) => handlers['import.preview']({ workspaceId, environmentId, text: lines })],
  ['unsent changes as .env', ({ context }) => queueHandlers(context)['queue.export']({ workspaceId, format: 'env' })],
]

test.each(
  reads.flatMap(([what, ask]) => [
    { what, ask, also: '', unlocks: false },
    { what, ask, also: ', also if they are unlocked at once', unlocks: true },
  ]),
)('$what has no answer once the keys are locked, whenever they are locked meanwhile$also', async ({ ask, unlocks }) => {
  const opened = createOfflineDesk()
  desk = opened
  const places = await opened.environments('A', 'B')
  for (const environmentId of places)
    valueOf(await opened.handlers['import.apply']({ workspaceId, environmentId, text: lines, seen: asShown }))
  const [environmentId = ''] = places
  const { cipher } = opened.keys
  for (let turns = 0; ; turns += 1) {
    let isAnswered = false
    const asked = ask(opened, environmentId).finally(() => (isAnswered = true))
    for (let turn = 0; turn < turns && !isAnswered; turn += 1) await nextTurn()
    if (isAnswered) return
    opened.keys.cipher = null
    opened.context.jobs.cancelAll()
    if (unlocks) opened.keys.cipher = cipher
    expect((await asked).ok).toBe(false)
    opened.keys.cipher = cipher
  }
})

test('the workspace key is not answered by a keychain that answers after a lock', async () => {
  const kept = new Map<string, string>()
  let answers: Promise<unknown> = Promise.resolve()
  const keychain: KeyStore = {
    kind: 'os',
    get: async (name) => {
      const found = kept.get(name) ?? null
      await answers
      return ok(found)
    },
    set: async (name, text) => ok((kept.set(name, text), null)),
    delete: async (name) => ok((kept.delete(name), null)),
    close: () => undefined,
  }
  const dataDir = await stage.folder()
  const stores = {
    ...createKeyStores(dataDir, cheapDerivation),
    probeKeychain: async () => 'available' as const,
    openKeychain: () => keychain,
  }
  const it = await stage.start({ dataDir, stores })
  valueOf(await it.command('keys.choose', { store: 'os' }))
  valueOf(await it.command('keys.set-pin', { pin: '274913' }))
  const { workspaceId: id } = valueOf(await it.command('workspaces.start-local', {}))
  const late = Promise.withResolvers<undefined>()
  answers = late.promise
  const asked = it.query('keys.recovery', { workspaceId: id })
  await it.command('keys.lock', {})
  await it.until('app.status', {}, ({ keys }) => keys.state === 'locked')
  late.resolve(undefined)
  expect((await asked).ok).toBe(false)
})
