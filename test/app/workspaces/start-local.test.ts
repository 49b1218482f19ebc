import { afterEach, describe, expect, test } from 'vitest'
import { createStage, valueOf } from './start-app.ts'

const stage = createStage()
afterEach(stage.clear)

describe('a local workspace', () => {
  test('asks for a place for keys first, and is made once one is chosen', async () => {
    const it = await stage.start()
    expect(await it.command('workspaces.start-local', {})).toMatchObject({ ok: false, error: { kind: 'keys-unchosen' } })
    valueOf(await it.command('keys.choose', { store: 'session' }))
    const { workspaceId, recoveryKey } = valueOf(await it.command('workspaces.start-local', { name: 'Ours' }))
    expect(recoveryKey).toMatch(/^[A-Za-z0-9+/]{43}=$/)
    expect(valueOf(await it.query('workspaces.list', {}))).toEqual([
      {
        id: workspaceId,
        name: 'Ours',
        kind: 'local',
        baseUrl: null,
        needs: [],
        problem: null,
        repair: null,
        serviceDamage: null,
        undoing: null,
      },
    ])
    expect(valueOf(await it.query('keys.recovery', { workspaceId }))).toEqual({ recoveryKey })
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
  })

  test('keeps its name when its service has started', async () => {
    const it = await stage.start()
    valueOf(await it.command('keys.choose', { store: 'session' }))
    const { workspaceId } = valueOf(await it.command('workspaces.start-local', {}))
    const nameNow = async () => valueOf(await it.query('workspaces.list', {})).map(({ name }) => name)
    const before = await nameNow()
    await it.until('sync.status', { workspaceId }, (status) => status.state === 'synced')
    expect(await nameNow()).toEqual(before)
  })
})
