import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { allBase } from '../../electron/mirror/base-layer.ts'
import { countDeleted, deletedParents } from '../../electron/mirror/deleted-layer.ts'
import { enqueueNew } from '../../electron/mirror/enqueue.ts'
import { getState } from '../../electron/mirror/workspace-state.ts'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { Player } from '../fuzz/player.ts'

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const play = (name: string, seed: number, service: FuzzService, now: () => number) =>
  new Player(name, seed, parent, service, new Uint8Array(32), now, () => (forward) => forward())

const prodOf = ({ client }: Player) => client.find('environment', client.find('project', null, 'shop').id, 'prod').id

/** Commits of a sync, counted from 1, after which the process dies; more than the longest of these syncs has. */
const commits = Array.from({ length: 14 }, (_, n) => n + 1)

describe('a crash after any one commit', () => {
  test.each(commits)('of a first pull, the %ith, leaves nothing out', async (at) => {
    const service = await startFuzzService(parent, {})
    const [one, other] = [play('one', 1, service, Date.now), play('other', 2, service, Date.now)]
    one.client.createProject('Shop')
    one.client.createEnvironment('shop', 'Prod')
    for (const name of ['A', 'B', 'C']) one.client.setVariable(prodOf(one), name, name)
    await one.sync()
    other.crashIn = at
    await other.sync()
    expect(other.client.drift()).toEqual([])
    await other.sync()
    expect(other.client.contents()).toEqual(one.client.contents())
    for (const { client } of [one, other]) await client.close()
    await service.close()
  })

  test.each(commits)('of a later pull, the %ith, leaves nothing out', async (at) => {
    const service = await startFuzzService(parent, {})
    const [one, other] = [play('one', 1, service, Date.now), play('other', 2, service, Date.now)]
    one.client.createProject('Shop')
    one.client.createEnvironment('shop', 'Prod')
    one.client.setVariable(prodOf(one), 'A', 'A')
    await one.sync()
    await other.sync()
    one.client.setVariable(prodOf(one), 'A', 'A 2')
    one.client.setVariable(prodOf(one), 'B', 'B')
    await one.sync()
    other.crashIn = at
    await other.sync()
    await other.sync()
    expect(other.client.drift()).toEqual([])
    expect(other.client.contents()).toEqual(one.client.contents())
    for (const { client } of [one, other]) await client.close()
    await service.close()
  })

  test.each(commits)('of a push, the %ith, does nothing twice and forgets nothing', async (at) => {
    const service = await startFuzzService(parent, {})
    let clock = Date.now()
    const [one, other] = [play('one', 1, service, () => clock), play('other', 2, service, () => clock)]
    const { client } = one
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    for (const name of ['A', 'B', 'C']) client.setVariable(prodOf(one), name, `${name} 1`)
    await one.sync()
    client.setVariable(prodOf(one), 'A', 'A 2')
    client.deleteVariable(prodOf(one), 'B')
    client.renameVariable(prodOf(one), 'C', 'B')
    client.setVariable(prodOf(one), 'N', 'new')
    const wanted = client.contents()
    one.crashIn = at
    await one.sync()
    expect(client.contents()).toEqual(wanted)
    clock += 3_600_000
    await one.sync()
    await other.sync()
    expect(client.queue()).toEqual([])
    expect(other.client.contents()).toEqual(wanted)
    expect(service.stored().variables).toHaveLength(3)
    for (const player of [one, other]) await player.client.close()
    await service.close()
  })

  test.each(commits)('of the end of a large deletion, the %ith, leaves nothing behind, and all of it can be restored', async (at) => {
    const service = await startFuzzService(parent, {})
    let clock = Date.now()
    const one = play('one', 1, service, () => clock)
    const { client } = one
    client.createProject('Shop')
    client.createEnvironment('shop', 'Prod')
    client.createEnvironment('shop', 'Dev')
    const shop = client.find('project', null, 'shop').id
    client.setVariable(client.find('environment', shop, 'dev').id, 'D', 'in dev')
    const names = Array.from({ length: 501 }, (_, n) => `V${n}`)
    client.mirror.write((tx) => {
      const path = { rowKind: 'variable', ancestors: [prodOf(one), shop] } as const
      for (const name of names) {
        const patch = { name, value: client.cipher.seal(name), type: 'string', isSecret: false } as const
        enqueueNew(tx, { ...path, rowId: client.newId(), patch }, { now: clock, newId: client.newId })
      }
    })
    await one.sync()
    client.deleteParent('project', shop)
    one.crashIn = at
    await one.sync()
    expect(client.contents()).toEqual({})
    clock += 3_600_000
    await one.sync()
    expect(client.queue()).toEqual([])
    expect(client.drift()).toEqual([])
    expect(service.stored().variables).toEqual([])
    const kept = client.mirror.snapshot((tx) => {
      const [parentRow, ...more] = deletedParents(tx)
      return { base: allBase(tx), more, counts: parentRow && countDeleted(tx, parentRow), begun: getState(tx, `deleting-${shop}`) }
    })
    expect(kept).toEqual({ base: [], more: [], counts: { environments: 2, variables: 502, versions: 0 }, begun: null })
    await client.close()
    await service.close()
  })
})
