import { chmodSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import type { KeyStores } from '../../../electron/app/keys/key-stores.ts'
import { openKeysManager } from '../../../electron/app/keys/open-keys-manager.ts'
import { openSettings } from '../../../electron/app/settings/open-settings.ts'
import type { Settings } from '../../../electron/app/settings/settings.ts'
import type { SystemAuthentication } from '../../../electron/app/app-deps.ts'
import { err } from '../../../electron/bridge/result.ts'
import type { KeychainState } from '../../../electron/bridge/rows.ts'
import { createSessionKeys } from '../../../electron/keychain/session-keys.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { valueOf } from '../workspaces/start-app.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-keys-'))
})
afterEach(() => {
  chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true })
})

/** A computer whose keychain is as `keychain` says at each question; its entries last as long as the test. */
const computer = (initial: KeychainState | Promise<KeychainState>) => {
  const entries = createSessionKeys()
  const state = { keychain: initial, probes: 0, read: Array<string>() }
  const stores: KeyStores = {
    ...createKeyStores(folder, cheapDerivation),
    probeKeychain: async () => {
      state.probes += 1
      return state.keychain
    },
    openKeychain: () => ({
      ...entries,
      kind: 'os',
      get(name) {
        state.read.push(name)
        return entries.get(name)
      },
      close: () => {},
    }),
  }
  const start = async (keyNames: string[] = [], systemAuthentication: SystemAuthentication | null = null) => {
    const settings = valueOf(await openSettings(folder))
    const told: number[] = []
    const keys = openKeysManager({ stores, settings, systemAuthentication, keyNames: async () => keyNames })
    keys.onChange(() => told.push(told.length))
    return { keys, settings, told }
  }
  return { start, state }
}

const passphrase = 'four random words here'

type Answer = Awaited<ReturnType<SystemAuthentication['confirm']>>

/** A system that answers as `says` is at each question. */
const systemOf = (kind: SystemAuthentication['kind'], says: { answer: Answer }): SystemAuthentication => ({
  kind,
  isReliable: kind === 'touch-id',
  isAvailable: async () => says.answer !== 'unavailable',
  confirm: async () => says.answer,
})

describe('before a choice', () => {
  test.each(['available', 'absent', 'locked', 'cancelled'] as const)('a keychain that is %s is reported', async (keychain) => {
    const { keys } = await computer(keychain).start()
    expect((await keys.store()).ok).toBe(false)
    expect(await keys.status()).toEqual({ state: 'unchosen', keychain })
  })

  test('new keys take the keychain by themselves where there is one, and the choice is remembered', async () => {
    const { start } = computer('available')
    const { keys, told } = await start()
    expect(valueOf(await keys.storeForNewKeys()).kind).toBe('os')
    expect(await keys.status()).toMatchObject({ state: 'ready', store: 'os' })
    expect(told.length).toBeGreaterThan(0)
    const next = await start()
    expect(valueOf(await next.keys.store()).kind).toBe('os')
    expect(await next.keys.status()).toMatchObject({ state: 'ready', store: 'os' })
  })

  test.each(['absent', 'locked', 'cancelled'] as const)('with a keychain that is %s, new keys wait for a choice', async (keychain) => {
    const { keys } = await computer(keychain).start()
    expect(await keys.storeForNewKeys()).toMatchObject({ ok: false, error: { kind: 'keys-unchosen' } })
  })

  test('a keychain that still asks the user does not hold up the status, and its answer is told', async () => {
    let answer: (state: KeychainState) => void = () => {}
    const { start } = computer(new Promise((resolve) => (answer = resolve)))
    const { keys, told } = await start()
    expect(await keys.status()).toEqual({ state: 'unchosen', keychain: 'locked' })
    expect(told).toEqual([])
    answer('available')
    await keys.store()
    expect(await keys.status()).toEqual({ state: 'unchosen', keychain: 'available' })
    expect(told).toHaveLength(1)
  })
})

describe('choosing', () => {
  test.each([
    ['absent', 'keychain-absent'],
    ['locked', 'keychain-locked'],
    ['cancelled', 'keychain-cancelled'],
  ] as const)('a keychain that is %s cannot be chosen', async (keychain, kind) => {
    const { keys } = await computer(keychain).start()
    expect(await keys.choose('os', undefined)).toMatchObject({ ok: false, error: { kind } })
    expect((await keys.status()).state).toBe('unchosen')
  })

  test.each([
    ['no passphrase', undefined],
    ['an empty one', ''],
    ['a short one', 'short'],
  ])('a vault is refused with %s, and no file is made', async (_, given) => {
    const { keys } = await computer('absent').start()
    expect(await keys.choose('vault', given)).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'passphrase' } })
    expect(readdirSync(folder)).toEqual([])
  })

  test('a vault is locked at the next start, without a question to the keychain, and opens with its passphrase alone', async () => {
    const { start, state } = computer('available')
    const { keys } = await start()
    valueOf(await keys.choose('vault', passphrase))
    valueOf(await valueOf(await keys.store()).set('api-key:w', 'secret'))
    await keys.close()

    const probes = state.probes
    const next = await start()
    expect(await next.keys.status()).toMatchObject({ state: 'locked', store: 'vault' })
    expect(await next.keys.storeForNewKeys()).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
    expect(await next.keys.unlock({ passphrase: 'wrong passphrase' })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
    expect(await next.keys.unlock({})).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
    // Each refusal is told: memory has the refused text.
    expect(next.told.length).toBe(3)
    valueOf(await next.keys.unlock({ passphrase }))
    expect(next.told.length).toBe(4)
    expect(valueOf(await valueOf(await next.keys.store()).get('api-key:w'))).toBe('secret')
    expect(state.probes).toBe(probes)
  })

  test('a vault is found again when the settings were lost', async () => {
    const { start } = computer('available')
    const { keys } = await start()
    valueOf(await keys.choose('vault', passphrase))
    await keys.close()
    rmSync(join(folder, 'settings.json'))
    const next = await start()
    expect(await next.keys.status()).toMatchObject({ state: 'locked', store: 'vault' })
    valueOf(await next.keys.unlock({ passphrase }))
    expect(JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8'))).toMatchObject({ keyStore: 'vault' })
  })

  test('keys of this session move into the store that is chosen later', async () => {
    const { keys } = await computer('absent').start(['workspace-key:w', 'api-key:w'])
    valueOf(await keys.choose('session', undefined))
    valueOf(await valueOf(await keys.store()).set('workspace-key:w', 'secret'))
    valueOf(await keys.choose('vault', passphrase))
    expect(await keys.status()).toMatchObject({ state: 'ready', store: 'vault' })
    expect(valueOf(await valueOf(await keys.store()).get('workspace-key:w'))).toBe('secret')
  })

  test('a durable store that is open is not changed for another', async () => {
    const { keys } = await computer('available').start()
    valueOf(await keys.choose('vault', passphrase))
    expect(await keys.choose('os', undefined)).toMatchObject({ ok: false, error: { kind: 'invalid-input' } })
  })

  test('a session choice is not remembered', async () => {
    const { start } = computer('absent')
    const { keys } = await start()
    valueOf(await keys.choose('session', undefined))
    expect(await keys.status()).toMatchObject({ state: 'ready', store: 'session' })
    expect(readdirSync(folder)).toEqual([])
    const next = await start()
    await next.keys.store()
    expect(await next.keys.status()).toEqual({ state: 'unchosen', keychain: 'absent' })
  })

  test('two choices at once open one store', async () => {
    const { keys } = await computer('available').start()
    const both = await Promise.all([keys.choose('vault', passphrase), keys.choose('os', undefined)])
    expect(both.map((answer) => answer.ok)).toEqual([true, false])
  })
})

test.each(['vault', 'os'] as const)(
  'keys that a lock has closed in the %s are no reason to choose another store for whoever comes by',
  async (store) => {
    const { start } = computer('available')
    const { keys } = await start()
    valueOf(await keys.choose(store, passphrase))
    if (store === 'os') valueOf(await keys.setPin('123456', undefined))
    valueOf(await keys.lock('user'))
    for (const { keys: each } of [{ keys }, await start()]) {
      for (const other of (['session', 'vault', 'os'] as const).filter((one) => one !== store))
        expect([other, await each.choose(other, 'a vault of my own')]).toMatchObject([other, { ok: false }])
      expect(await each.status()).toMatchObject({ state: 'locked', store })
    }
    expect(existsSync(join(folder, 'keys.vault'))).toBe(store === 'vault')
  },
)

test('a keychain that a PIN has locked is not opened by way of a vault that is missing', async () => {
  const { start, state } = computer('available')
  const { keys } = await start()
  valueOf(await keys.choose('os', undefined))
  valueOf(await keys.setPin('123456', undefined))
  state.keychain = 'absent'
  valueOf(await (await start()).keys.choose('vault', passphrase))
  state.keychain = 'available'
  rmSync(join(folder, 'keys.vault'))
  const next = await start()
  expect(await next.keys.choose('os', undefined)).toMatchObject({ ok: false, error: { field: 'pin' } })
})

describe('a vault that cannot be opened any more', () => {
  const withVault = async (text: string) => {
    const { start } = computer('absent')
    const { keys } = await start()
    valueOf(await keys.choose('vault', passphrase))
    await keys.close()
    writeFileSync(join(folder, 'keys.vault'), text)
    return start()
  }

  test('is told, and left as it is', async () => {
    const { keys } = await withVault('damaged')
    expect(await keys.unlock({ passphrase })).toMatchObject({ ok: false, error: { kind: 'vault-damaged' } })
    expect(readFileSync(join(folder, 'keys.vault'), 'utf8')).toBe('damaged')
  })

  test.each([
    ['damaged', 'damaged'],
    ['of a newer Holdfast', '{"format":"holdfast-vault","version":2}'],
  ])('%s, is put aside when a new one is chosen, and stays when the passphrase of that is changed', async (_, text) => {
    const { keys } = await withVault(text)
    valueOf(await keys.choose('vault', passphrase))
    expect(await keys.status()).toMatchObject({ state: 'ready', store: 'vault' })
    valueOf(await keys.changePassphrase(passphrase, 'five other words are here'))
    expect(readFileSync(join(folder, 'keys.vault.old'), 'utf8')).toBe(text)
  })

  test('a wrong passphrase never puts a good vault aside', async () => {
    const { start } = computer('absent')
    const { keys } = await start()
    valueOf(await keys.choose('vault', passphrase))
    await keys.close()
    const next = await start()
    expect(await next.keys.choose('vault', 'not the passphrase')).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
    expect(existsSync(join(folder, 'keys.vault.old'))).toBe(false)
    valueOf(await next.keys.unlock({ passphrase }))
  })
})

describe('a vault file that is missing', () => {
  const withoutVault = async () => {
    const { start } = computer('absent')
    const { keys } = await start()
    valueOf(await keys.choose('vault', passphrase))
    valueOf(await valueOf(await keys.store()).set('api-key:w', 'secret'))
    await keys.close()
    renameSync(join(folder, 'keys.vault'), join(folder, 'elsewhere'))
    return start()
  }

  test('is told at the start and at an unlock, which makes no other', async () => {
    const { keys } = await withoutVault()
    expect(await keys.status()).toMatchObject({ state: 'locked', store: 'vault', keychain: 'absent' })
    const refused = await keys.unlock({ passphrase })
    expect(refused).toMatchObject({ ok: false, error: { kind: 'vault-damaged' } })
    expect(JSON.stringify(refused)).toContain(join(folder, 'keys.vault'))
    expect(existsSync(join(folder, 'keys.vault'))).toBe(false)
  })

  test('opens once it is put back, without a new start', async () => {
    const { keys } = await withoutVault()
    renameSync(join(folder, 'elsewhere'), join(folder, 'keys.vault'))
    valueOf(await keys.unlock({ passphrase }))
    expect(valueOf(await valueOf(await keys.store()).get('api-key:w'))).toBe('secret')
  })

  test('is made anew by choice', async () => {
    const { keys } = await withoutVault()
    valueOf(await keys.choose('vault', passphrase))
    expect(valueOf(await valueOf(await keys.store()).get('api-key:w'))).toBeNull()
    expect(existsSync(join(folder, 'keys.vault'))).toBe(true)
  })
})

describe('locking', () => {
  test('a vault waits for its passphrase, and who locked it is told', async () => {
    const { keys, told } = await computer('available').start()
    valueOf(await keys.choose('vault', passphrase))
    const before = told.length
    valueOf(await keys.lock('time'))
    expect(await keys.status()).toEqual({ state: 'locked', store: 'vault', keychain: 'available', unlock: 'passphrase', by: 'time' })
    expect(told).toHaveLength(before + 1)
    expect((await keys.store()).ok).toBe(false)
    valueOf(await keys.lock('user'))
    expect(told).toHaveLength(before + 1)
  })

  test.each(['os', 'session'] as const)('%s keys, which nothing would be asked for, are not locked', async (kind) => {
    const { keys } = await computer('available').start()
    valueOf(await keys.choose(kind, passphrase))
    expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'none' })
    expect(await keys.lock('user')).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'pin' } })
    expect((await keys.store()).ok).toBe(true)
  })

  test('a PIN locks keys in the keychain, also over an end and a new start', async () => {
    const { start } = computer('available')
    const { keys } = await start()
    valueOf(await keys.choose('os', undefined))
    expect(await keys.setPin('12345', undefined)).toMatchObject({ ok: false, error: { field: 'pin' } })
    valueOf(await keys.setPin('123456', undefined))
    expect(await keys.setPin('654321', 'wrong1')).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
    expect(await keys.setPin(null, undefined)).toMatchObject({ ok: false, error: { field: 'pin' } })
    valueOf(await keys.lock('user'))
    expect(await keys.status()).toEqual({ state: 'locked', store: 'os', keychain: 'available', unlock: 'pin', by: 'user' })
    for (const { keys: each } of [{ keys }, await start()]) {
      expect(await each.unlock({})).toMatchObject({ ok: false, error: { kind: 'invalid-input', field: 'pin' } })
      expect(await each.unlock({ pin: '654321' })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
      expect((await each.store()).ok).toBe(false)
      valueOf(await each.unlock({ pin: '123456' }))
      expect((await each.store()).ok).toBe(true)
    }
    valueOf(await keys.setPin(null, '123456'))
    expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'none' })
  })

  test.each([
    ['chosen again', ['os'] as const],
    ['chosen again by way of keys for this session', ['session', 'os'] as const],
  ])('a keychain that a PIN has locked is not opened by being %s', async (_how, choices) => {
    const { start } = computer('available')
    const { keys } = await start()
    valueOf(await keys.choose('os', undefined))
    valueOf(await keys.setPin('123456', undefined))
    valueOf(await keys.lock('user'))
    for (const { keys: each } of [{ keys }, await start()]) {
      for (const kind of choices) await each.choose(kind, undefined)
      const store = await each.store()
      expect(store.ok && store.value.kind).not.toBe('os')
      await each.close()
    }
  })

  test('after five wrong PINs the right one has to wait too', async () => {
    const { keys } = await computer('available').start()
    valueOf(await keys.choose('os', undefined))
    valueOf(await keys.setPin('123456', undefined))
    valueOf(await keys.lock('user'))
    for (let i = 0; i < 5; i++) await keys.unlock({ pin: `00000${i}` })
    expect(await keys.unlock({ pin: '123456' })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^Too many wrong tries/) },
    })
  })

  test('an end and a new start of Holdfast give no further tries', async () => {
    const { start } = computer('available')
    const { keys } = await start()
    valueOf(await keys.choose('os', undefined))
    valueOf(await keys.setPin('123456', undefined))
    await keys.close()
    for (let i = 0; i < 5; i++) {
      const each = await start()
      expect(await each.keys.unlock({ pin: `00000${i}` })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
      await each.keys.close()
    }
    const next = await start()
    expect(await next.keys.unlock({ pin: '123456' })).toMatchObject({
      ok: false,
      error: { message: expect.stringMatching(/^Too many wrong tries/) },
    })
  })

  test('a recovery key stands in for a forgotten PIN, which is then gone', async () => {
    const { keys } = await computer('available').start(['workspace-key:w'])
    valueOf(await keys.choose('os', undefined))
    const key = Buffer.alloc(32, 7).toString('base64')
    valueOf(await valueOf(await keys.store()).set('workspace-key:w', key))
    valueOf(await keys.setPin('123456', undefined))
    valueOf(await keys.lock('user'))
    valueOf(await keys.unlock({ pin: ` ${key}` }))
    expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'none' })
  })

  test.each([
    ['a wrong PIN reads no workspace key', '000000', []],
    ['a wrong workspace key is compared with those here', Buffer.alloc(32, 8).toString('base64'), ['workspace-key:w']],
  ])('%s, and listeners are told to scrub what it left in memory', async (_, pin, compared) => {
    const { start, state } = computer('available')
    const { keys, told } = await start(['workspace-key:w'])
    valueOf(await keys.choose('os', undefined))
    valueOf(await valueOf(await keys.store()).set('workspace-key:w', Buffer.alloc(32, 7).toString('base64')))
    valueOf(await keys.setPin('123456', undefined))
    valueOf(await keys.lock('user'))
    const before = told.length
    state.read = []
    expect(await keys.unlock({ pin })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
    expect(state.read.filter((name) => name.startsWith('workspace-key:'))).toEqual(compared)
    expect(told).toHaveLength(before + 1)
  })

  test("the system's authentication opens what was locked, also after a new start, and its no keeps it locked", async () => {
    const { start } = computer('available')
    const says: { answer: Answer } = { answer: 'refused' }
    const touchId = systemOf('touch-id', says)
    const { keys } = await start([], touchId)
    valueOf(await keys.choose('os', undefined))
    valueOf(await keys.lock('system'))
    const next = await start([], touchId)
    await next.keys.store()
    expect(await next.keys.status()).toMatchObject({ state: 'locked', unlock: 'system', by: null })
    expect(await next.keys.unlock({})).toMatchObject({ ok: false, error: { kind: 'keychain-cancelled' } })
    says.answer = 'confirmed'
    valueOf(await next.keys.unlock({}))
    expect((await (await start([], touchId)).keys.store()).ok).toBe(true)
  })

  test.each([
    ['its lid is closed', 'unavailable' as const],
    ['another Holdfast is started that cannot ask', null],
  ])('a Mac that was locked by Touch ID stays locked when %s, and opens with a recovery key', async (_, answer) => {
    const { start } = computer('available')
    const { keys } = await start([], systemOf('touch-id', { answer: 'confirmed' }))
    valueOf(await keys.choose('os', undefined))
    const key = Buffer.alloc(32, 7).toString('base64')
    valueOf(await valueOf(await keys.store()).set('workspace-key:w', key))
    valueOf(await keys.lock('user'))
    const next = await start(['workspace-key:w'], answer === null ? null : systemOf('touch-id', { answer }))
    expect((await next.keys.store()).ok).toBe(false)
    expect(await next.keys.status()).toMatchObject({ state: 'locked', unlock: 'system' })
    expect(await next.keys.unlock({})).toMatchObject({ ok: false, error: { kind: 'unsupported' } })
    valueOf(await next.keys.unlock({ pin: key }))
    expect((await next.keys.store()).ok).toBe(true)
  })

  test.each([
    { asked: 'at a change of the settings', of: 'useSystem' as const },
    { asked: 'at an unlock', of: 'unlock' as const },
  ])('keys are locked at once, and stay locked, while the system asks the user $asked', async ({ of }) => {
    const asked = Promise.withResolvers<null>()
    const answered = Promise.withResolvers<Answer>()
    const hello: SystemAuthentication = {
      ...systemOf('windows-hello', { answer: 'confirmed' }),
      confirm() {
        asked.resolve(null)
        return answered.promise
      },
    }
    const { keys, settings } = await computer('available').start([], hello)
    valueOf(await keys.choose('os', undefined))
    valueOf(await settings.update({ asksSystem: true }))
    if (of === 'unlock') valueOf(await keys.lock('user'))
    const done = of === 'unlock' ? keys.unlock({}) : keys.useSystem(true)
    await asked.promise
    valueOf(await keys.lock('system'))
    expect(await keys.status()).toMatchObject({ state: 'locked', unlock: 'system' })
    expect((await keys.store()).ok).toBe(false)
    answered.resolve('confirmed')
    await done
    expect(await keys.status()).toMatchObject({ state: 'locked', unlock: 'system', by: 'system' })
    expect((await keys.store()).ok).toBe(false)
    expect(settings.get().isLocked).toBe(true)
    valueOf(await keys.unlock({}))
    expect((await keys.store()).ok).toBe(true)
  })

  describe('a disk or a keychain that fails', () => {
    const full = err({ kind: 'disk-full', message: 'The disk is full, so nothing was saved.' } as const)
    const late = err({ kind: 'keychain-cancelled', message: 'The system keychain didn’t answer in time.' } as const)
    const key = Buffer.alloc(32, 7).toString('base64')

    /** Keys under the PIN 123456. While `fails.disk`, no setting is saved; while `fails.keychain`, a PIN is written, but the answer is late. */
    const start = async () => {
      const fails = { disk: false, keychain: false }
      const entries = createSessionKeys()
      const stores: KeyStores = {
        ...createKeyStores(folder, cheapDerivation),
        probeKeychain: async () => 'available',
        openKeychain: () => ({
          kind: 'os',
          get: entries.get,
          async set(name, secret) {
            const done = await entries.set(name, secret)
            return fails.keychain && !name.endsWith('-tries') ? late : done
          },
          delete: entries.delete,
          close: () => {},
        }),
      }
      const onDisk = valueOf(await openSettings(folder))
      const settings: Settings = { ...onDisk, update: async (patch) => (fails.disk ? full : onDisk.update(patch)) }
      const keys = openKeysManager({ stores, settings, systemAuthentication: null, keyNames: async () => ['workspace-key:w'] })
      valueOf(await keys.choose('os', undefined))
      valueOf(await valueOf(await keys.store()).set('workspace-key:w', key))
      valueOf(await keys.setPin('123456', undefined))
      return { keys, fails }
    }

    test.each([
      { what: 'removed', pin: null },
      { what: 'changed', pin: '654321' },
    ])('leaves a PIN in force that could not be $what on a full disk', async ({ pin }) => {
      const { keys, fails } = await start()
      fails.disk = true
      expect(await keys.setPin(pin, '123456')).toEqual(full)
      fails.disk = false
      valueOf(await keys.lock('user'))
      valueOf(await keys.unlock({ pin: '123456' }))
    })

    test('leaves a PIN in force whose change the keychain made, but too late', async () => {
      const { keys, fails } = await start()
      fails.keychain = true
      expect(await keys.setPin('654321', '123456')).toEqual(late)
      fails.keychain = false
      valueOf(await keys.lock('user'))
      valueOf(await keys.unlock({ pin: '123456' }))
    })

    test('does not keep a workspace key from unlocking', async () => {
      const { keys, fails } = await start()
      valueOf(await keys.lock('user'))
      fails.disk = true
      valueOf(await keys.unlock({ pin: key }))
    })
  })

  describe.each(['windows-hello', 'polkit'] as const)('%s', (kind) => {
    test('is begun only once it has confirmed the user, then asked at each unlock', async () => {
      const { start } = computer('available')
      const says: { answer: Answer } = { answer: 'unavailable' }
      const { keys } = await start([], systemOf(kind, says))
      valueOf(await keys.choose('os', undefined))
      expect(await keys.systemAuthentication()).toBeNull()
      expect(await keys.useSystem(true)).toMatchObject({ ok: false, error: { kind: 'unsupported' } })
      says.answer = 'refused'
      expect(await keys.systemAuthentication()).toEqual({ kind, isOn: false })
      expect(await keys.useSystem(true)).toMatchObject({ ok: false, error: { kind: 'keychain-cancelled' } })
      expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'none' })
      says.answer = 'confirmed'
      valueOf(await keys.useSystem(true))
      expect(await keys.systemAuthentication()).toEqual({ kind, isOn: true })
      expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'system' })

      valueOf(await keys.lock('time'))
      says.answer = 'refused'
      expect(await keys.unlock({})).toMatchObject({ ok: false, error: { kind: 'keychain-cancelled' } })
      says.answer = 'confirmed'
      valueOf(await keys.unlock({}))
      // Nor is it ended without it.
      says.answer = 'refused'
      expect(await keys.useSystem(false)).toMatchObject({ ok: false })
      says.answer = 'confirmed'
      valueOf(await keys.useSystem(false))
      expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'none' })
    })

    test('that is gone gives way to a PIN or a recovery key, and to nothing else', async () => {
      const { start } = computer('available')
      const says: { answer: Answer } = { answer: 'confirmed' }
      const { keys } = await start(['workspace-key:w'], systemOf(kind, says))
      valueOf(await keys.choose('os', undefined))
      const key = Buffer.alloc(32, 7).toString('base64')
      valueOf(await valueOf(await keys.store()).set('workspace-key:w', key))
      valueOf(await keys.useSystem(true))
      says.answer = 'refused'
      expect(await keys.setPin('123456', undefined)).toMatchObject({ ok: false, error: { kind: 'keychain-cancelled' } })
      says.answer = 'confirmed'
      valueOf(await keys.setPin('123456', undefined))
      valueOf(await keys.lock('user'))
      says.answer = 'unavailable'
      expect(await keys.status()).toMatchObject({ state: 'locked', unlock: 'system' })
      expect(await keys.unlock({})).toMatchObject({ ok: false, error: { kind: 'unsupported' } })
      expect(await keys.unlock({ pin: '654321' })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
      valueOf(await keys.unlock({ pin: '123456' }))
      expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'system' })
      valueOf(await keys.lock('user'))
      valueOf(await keys.unlock({ pin: key }))
      expect(await keys.status()).toMatchObject({ state: 'ready', unlock: 'none' })
    })
  })

  test("a vault's passphrase is changed, and the earlier one opens nothing", async () => {
    const { start } = computer('absent')
    const { keys } = await start()
    valueOf(await keys.choose('vault', passphrase))
    valueOf(await valueOf(await keys.store()).set('api-key:w', 'secret'))
    expect(await keys.changePassphrase('not the passphrase', 'five other words are here')).toMatchObject({
      error: { kind: 'passphrase-wrong' },
    })
    expect(await keys.changePassphrase(passphrase, 'short')).toMatchObject({ error: { kind: 'invalid-input' } })
    valueOf(await keys.changePassphrase(passphrase, 'five other words are here'))
    expect(readdirSync(folder).sort()).toEqual(['keys.vault', 'settings.json'])
    valueOf(await keys.lock('user'))
    expect(await keys.unlock({ passphrase })).toMatchObject({ ok: false, error: { kind: 'passphrase-wrong' } })
    valueOf(await keys.unlock({ passphrase: 'five other words are here' }))
    expect(valueOf(await valueOf(await keys.store()).get('api-key:w'))).toBe('secret')
  })

  test('a keychain that is not there at a start is asked again by unlock', async () => {
    const { start, state } = computer('available')
    valueOf(await (await start()).keys.choose('os', undefined))
    state.keychain = 'locked'
    const { keys } = await start()
    await keys.store()
    expect(await keys.status()).toMatchObject({ state: 'locked', store: 'os', keychain: 'locked', by: null })
    expect(await keys.unlock({})).toMatchObject({ ok: false, error: { kind: 'keychain-locked' } })
    state.keychain = 'available'
    valueOf(await keys.unlock({}))
    expect(await keys.status()).toMatchObject({ state: 'ready', store: 'os' })
  })
})
