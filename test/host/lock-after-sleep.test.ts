import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Application } from '../../electron/bridge/bridge.ts'
import { lockAfterSleep, type SleepClock } from '../../electron/host/lock-after-sleep.ts'
import { createStage, valueOf, type TestApp } from '../app/workspaces/start-app.ts'

const stage = createStage()
afterEach(() => stage.clear())

const passphrase = 'four random words here'
const minute = 60_000

/** A computer that sleeps when it is told to. */
function createComputer(): SleepClock & { pass(ms: { wall?: number; sinceStart?: number }): void; tick(): void; readonly ticks: boolean } {
  let now = { wall: Date.UTC(2026, 0, 1), sinceStart: 0 }
  let tick: (() => void) | null = null
  return {
    read: () => now,
    every(_ms, each) {
      tick = each
      return () => (tick = null)
    },
    pass: ({ wall = 0, sinceStart = 0 }) => (now = { wall: now.wall + wall, sinceStart: now.sinceStart + sinceStart }),
    tick: () => tick?.(),
    get ticks() {
      return tick !== null
    },
  }
}

let it: TestApp
let host: Application
let computer: ReturnType<typeof createComputer>
let ids: { workspaceId: string; id: string }

beforeEach(async () => {
  it = await stage.start()
  computer = createComputer()
  host = lockAfterSleep(it.app, computer)
  valueOf(await it.command('keys.choose', { store: 'vault', passphrase }))
  const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
  const project = valueOf(await it.command('projects.create', { workspaceId, name: 'Shop' }))
  const environment = valueOf(await it.command('environments.create', { workspaceId, projectId: project.id, name: 'Production' }))
  const variable = { workspaceId, environmentId: environment.id, type: 'string', name: 'TOKEN', isSecret: true } as const
  ids = { workspaceId, id: valueOf(await it.command('variables.create', { ...variable, value: 'sentinel-4711' })).id }
})

const reveal = () => host.query('variables.values', { workspaceId: ids.workspaceId, ids: [ids.id], reveal: true })
const keys = async () => valueOf(await it.query('app.status', {})).keys

describe.each([
  ['both clocks tell of', { wall: minute, sinceStart: minute }],
  ['its wall clock tells of', { wall: minute }],
  ['its wall clock was set back in', { wall: -minute, sinceStart: minute }],
])('after a sleep that %s', (_which, slept) => {
  test('the first call is answered by a locked application, as are all that come with it', async () => {
    expect(JSON.stringify(await reveal())).toContain('sentinel-4711')
    computer.pass(slept)
    const answers = await Promise.all([reveal(), host.query('keys.recovery', { workspaceId: ids.workspaceId }), reveal()])
    expect(answers).toMatchObject(Array.from({ length: 3 }, () => ({ ok: false, error: { kind: 'keys-locked' } })))
    expect(JSON.stringify(answers)).not.toContain('sentinel-4711')
    expect(await keys()).toMatchObject({ state: 'locked', by: 'system' })
  })

  test('it locks when nobody asks for anything', async () => {
    computer.pass(slept)
    computer.tick()
    await expect.poll(keys).toMatchObject({ state: 'locked' })
  })
})

test('a command that comes first after a sleep finds it locked', async () => {
  computer.pass({ sinceStart: minute })
  const rename = { workspaceId: ids.workspaceId, id: ids.id, seen: 0, value: 'typed' }
  expect(await host.command('variables.update', rename)).toMatchObject({ ok: false, error: { kind: 'keys-locked' } })
})

test('a computer that stays awake is not locked, however long', async () => {
  for (let n = 0; n < 1000; n += 1) {
    computer.pass({ wall: 2500, sinceStart: 2500 })
    computer.tick()
  }
  expect(JSON.stringify(await reveal())).toContain('sentinel-4711')
})

test('it can be unlocked again, and is locked by the next sleep', async () => {
  for (let sleep = 0; sleep < 2; sleep += 1) {
    computer.pass({ sinceStart: minute })
    expect(await reveal()).toMatchObject({ ok: false })
    expect(await host.command('keys.unlock', { passphrase })).toMatchObject({ ok: true })
    await expect.poll(async () => JSON.stringify(await reveal())).toContain('sentinel-4711')
  }
})

test('it watches no longer once it is closed', async () => {
  expect(computer.ticks).toBe(true)
  await host.close()
  expect(computer.ticks).toBe(false)
})
