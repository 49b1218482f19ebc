import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { queueHandlers } from '../../../electron/app/queue/queue-handlers.ts'
import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import { ok, type Result } from '../../../electron/bridge/result.ts'
import type { KeyStore } from '../../../electron/keychain/key-store.ts'
import { asShown } from '../../support/as-shown.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { createOfflineDesk, workspaceId, type OfflineDesk } from '../imports/offline-desk.ts'
import { startService, type StartedService } from '../../support/start-service.ts'
import { connectTo, createStage, valueOf } from '../workspaces/start-app.ts'

const stage = createStage()
let desk: OfflineDesk | null = null
let service: StartedService | null = null
/** By the first word of an entry's name: what the keychain asks the user, and answers once it is resolved. */
const prompts = new Map<string, PromiseWithResolvers<null>>()
const answerPrompt = (name: string): void => prompts.get(name)?.resolve(null)
afterEach(async () => {
  // An application whose keychain never answers would not close.
  for (const name of prompts.keys()) answerPrompt(name)
  prompts.clear()
  desk?.close()
  desk = null
  await stage.clear()
  await service?.close()
  service = null
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

/** Asks, and does `lock` after one more turn each time until the answer comes first; each other answer is `expected`. */
const lockedAtEveryTurn = async (ask: Ask, lock: (desk: OfflineDesk) => void, expected: object): Promise<void> => {
  const opened = createOfflineDesk()
  desk = opened
  const places = await opened.environments('A', 'B')
  for (const environmentId of places)
    valueOf(await opened.handlers['import.apply']({ workspaceId, environmentId, text: lines, seen: asShown }))
  const [environmentId = ''] = places
  const { cipher } = opened.keys
  for (let turns = 0; ; turns += 1) {
    opened.keys.cipher = cipher
    let isAnswered = false
    const asked = ask(opened, environmentId).finally(() => (isAnswered = true))
    for (let turn = 0; turn < turns && !isAnswered; turn += 1) await nextTurn()
    if (isAnswered) return
    lock(opened)
    expect(await asked).toMatchObject(expected)
  }
}

test.each(reads)('%s has no answer but that the keys are locked, whenever they are locked meanwhile', (_what, ask) =>
  lockedAtEveryTurn(ask, ({ keys }) => (keys.cipher = null), { ok: false, error: { kind: 'keys-locked' } }),
)

test.each(reads)('%s is ended by a lock, also if the keys are unlocked at once', (_what, ask) =>
  lockedAtEveryTurn(ask, ({ context }) => context.jobs.cancelAll(), { ok: false, error: { kind: 'cancelled' } }),
)

/** A keychain that asks the user about the entries named in `prompts`. */
const askingComputer = async () => {
  const kept = new Map<string, string>()
  /** The prompts that the user was shown. */
  const shown: string[] = []
  const keychain: KeyStore = {
    kind: 'os',
    get: async (name) => {
      const found = kept.get(name) ?? null
      const [kind = name] = name.split(':')
      if (prompts.has(kind)) shown.push(kind)
      await prompts.get(kind)?.promise
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
  return { start: () => stage.start({ dataDir, stores }), shown }
}

test('the workspace key is not answered by a keychain that answers after a lock', async () => {
  const { start, shown } = await askingComputer()
  const it = await start()
  valueOf(await it.command('keys.choose', { store: 'os' }))
  valueOf(await it.command('keys.set-pin', { pin: '274913' }))
  const { workspaceId: id } = valueOf(await it.command('workspaces.start-local', {}))
  prompts.set('workspace-key', Promise.withResolvers())
  const asked = it.query('keys.recovery', { workspaceId: id })
  await expect.poll(() => shown).toEqual(['workspace-key'])
  await it.command('keys.lock', {})
  await it.until('app.status', {}, ({ keys }) => keys.state === 'locked')
  answerPrompt('workspace-key')
  expect((await asked).ok).toBe(false)
})

test.each([
  ['the workspace key', []],
  ['the API key, and gave the workspace key before', ['workspace-key']],
])('no value is read once the keys are locked while the keychain asks about %s', async (_, answered) => {
  const { start } = await askingComputer()
  service = await startService()
  const first = await start()
  valueOf(await first.command('keys.choose', { store: 'os' }))
  const { workspaceId } = await connectTo(first, service)
  const project = valueOf(await first.command('projects.create', { workspaceId, name: 'Shop' }))
  const environment = { workspaceId, projectId: project.id, name: 'Production' }
  const { id: environmentId } = valueOf(await first.command('environments.create', environment))
  valueOf(await first.command('variables.create', { workspaceId, environmentId, name: 'A', value: '1', type: 'string', isSecret: true }))
  valueOf(await first.command('keys.set-pin', { pin: '274913' }))
  await first.app.close()

  const it = await start()
  await it.until('app.status', {}, ({ keys }) => keys.state === 'locked' && keys.keychain === 'available')
  valueOf(await it.command('keys.unlock', { pin: '274913' }))
  for (const name of ['workspace-key', 'api-key']) prompts.set(name, Promise.withResolvers())
  valueOf(await it.query('environments.list', { workspaceId }))
  for (const name of answered) {
    answerPrompt(name)
    await it.until('text.read', { workspaceId, environmentId }, ({ text }) => text.includes('A=1'))
  }
  // Not awaited before the prompts are answered: a lock that waits for them would never end.
  const locking = it.command('keys.lock', {})
  await it.until('app.status', {}, ({ keys }) => keys.state === 'locked')
  const expectLocked = async () => {
    // A session drops its cipher without waiting for anything but its turn.
    await nextTurn()
    expect(await it.query('text.read', { workspaceId, environmentId })).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
  }
  await expectLocked()
  for (const name of prompts.keys()) {
    answerPrompt(name)
    await expectLocked()
  }
  valueOf(await locking)
  await expectLocked()
})
