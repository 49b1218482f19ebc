import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchLogind } from '../../electron/shell/watch-logind.ts'
import { bodies, hasBus, startFakeLogind, type FakeLogind } from '../support/fake-logind.ts'

const manager = '/org/freedesktop/login1'
const session = `${manager}/session/_312`
const other = `${manager}/session/c2`
const changed = 'org.freedesktop.DBus.Properties.PropertiesChanged'

describe.skipIf(!hasBus)('of what logind says', () => {
  let logind: FakeLogind
  let locks: number
  let stop: () => void

  /** Watches as session 12 does, until the first signal is heard. */
  const watch = async (own: { session?: string } = { session: '12' }): Promise<void> => {
    locks = 0
    stop = watchLogind(() => (locks += 1), { env: logind.env, ...own })
    while (locks === 0) {
      logind.emit(manager, 'org.freedesktop.login1.Manager.PrepareForSleep', 'b', bodies.yes)
      await sleep(100)
    }
    await sleep(300)
    locks = 0
  }

  beforeEach(async () => {
    logind = await startFakeLogind()
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    stop()
    await logind.close()
  })

  test.each<[string, number, () => void]>([
    [
      'that the computer goes to sleep locks',
      1,
      () => logind.emit(manager, 'org.freedesktop.login1.Manager.PrepareForSleep', 'b', bodies.yes),
    ],
    ['that it woke up does not', 0, () => logind.emit(manager, 'org.freedesktop.login1.Manager.PrepareForSleep', 'b', bodies.no)],
    ['that the session is to be locked locks', 1, () => logind.emit(session, 'org.freedesktop.login1.Session.Lock')],
    ['that it is to be unlocked does not', 0, () => logind.emit(session, 'org.freedesktop.login1.Session.Unlock')],
    ['that its screen is locked locks', 1, () => logind.emit(session, changed, 'sa{sv}as', bodies.property('LockedHint', true))],
    ['that its screen is unlocked does not', 0, () => logind.emit(session, changed, 'sa{sv}as', bodies.property('LockedHint', false))],
    ['that it is active does not', 0, () => logind.emit(session, changed, 'sa{sv}as', bodies.property('Active', true))],
    ['that the session of another user is locked does not', 0, () => logind.emit(other, 'org.freedesktop.login1.Session.Lock')],
    [
      'that the screen of another is locked does not',
      0,
      () => logind.emit(other, changed, 'sa{sv}as', bodies.property('LockedHint', true)),
    ],
  ])('%s', async (_what, expected, say) => {
    await watch()
    say()
    await expect.poll(() => locks).toBe(expected)
    await sleep(200)
    expect(locks).toBe(expected)
  })

  test('a process that knows no session of its own takes each for its own', async () => {
    vi.stubEnv('XDG_SESSION_ID', undefined)
    await watch({})
    logind.emit(other, 'org.freedesktop.login1.Session.Lock')
    await expect.poll(() => locks).toBe(1)
  })

  test('nothing locks once it is stopped', async () => {
    await watch()
    stop()
    logind.emit(session, 'org.freedesktop.login1.Session.Lock')
    await sleep(300)
    expect(locks).toBe(0)
  })
})

test('without gdbus nothing happens', async () => {
  const stop = watchLogind(() => expect.unreachable(), { tool: '/nowhere/gdbus' })
  await sleep(50)
  stop()
})
