import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { withoutFeed } from '../support/reduced-service.ts'
import type { Network, TestClient } from '../support/build-client.ts'
import { createSyncStage } from '../support/sync-stage.ts'

const stage = createSyncStage()
const backups: string[] = []
afterEach(() => {
  for (const dir of backups.splice(0)) rmSync(dir, { recursive: true, force: true })
})

/** Copies the data folder of a client as a backup would; what it gives puts that copy in the folder's place and starts again. */
function backUp(client: TestClient): () => void {
  const backup = mkdtempSync(path.join(tmpdir(), 'holdfast-backup-'))
  backups.push(backup)
  cpSync(client.dir, backup, { recursive: true })
  return () => {
    client.mirror.close()
    rmSync(client.dir, { recursive: true })
    cpSync(backup, client.dir, { recursive: true })
    client.restart()
  }
}

const everything: Network = (forward) => forward()
const environmentOf = (client: TestClient, slug: string): string =>
  client.find('environment', client.find('project', null, 'shop').id, slug).id

/** Somebody with a project on the service, and a colleague who sees it; the first one meets the service as `network` shows it. */
async function two(network: Network): Promise<{ me: TestClient; other: TestClient }> {
  const other = stage.open()
  other.createProject('Shop')
  other.createEnvironment('shop', 'Prod')
  other.setVariable(environmentOf(other, 'prod'), 'A', 'one')
  await other.sync()
  const me = stage.open()
  me.network = network
  await me.sync()
  return { me, other }
}

const newThings = [
  {
    what: 'variable',
    make: (me: TestClient) => me.setVariable(environmentOf(me, 'prod'), 'NEW', 'typed'),
    rename: (other: TestClient) => void other.renameVariable(environmentOf(other, 'prod'), 'NEW', 'RENAMED'),
    ends: { 'shop/prod/A': 'one', 'shop/prod/RENAMED': 'typed' },
  },
  {
    what: 'environment with a variable in it',
    make(me: TestClient) {
      me.createEnvironment('shop', 'Stage')
      me.setVariable(environmentOf(me, 'stage'), 'NEW', 'typed')
    },
    rename(other: TestClient) {
      other.renameVariable(environmentOf(other, 'stage'), 'NEW', 'RENAMED')
      other.updateParent('environment', environmentOf(other, 'stage'), { slug: 'renamed' })
    },
    ends: { 'shop/prod/A': 'one', 'shop/renamed/RENAMED': 'typed' },
  },
]

const variablesOf = (client: TestClient): Record<string, string> =>
  Object.fromEntries(Object.entries(client.contents()).filter(([at]) => at.split('/').length === 3))

describe('an old data folder that is put back', () => {
  test.each(newThings)('makes no second $what of one that was sent since, and that others renamed', async ({ make, rename, ends }) => {
    const { me, other } = await two(everything)
    make(me)
    const putBack = backUp(me)
    await me.sync()
    await other.sync()
    rename(other)
    await other.sync()
    putBack()
    await me.sync()
    await other.sync()
    for (const client of [me, other]) expect(variablesOf(client)).toEqual(ends)
    expect([me.queue(), me.drift()]).toEqual([[], []])
    expect(stage.service().stored().variables).toHaveLength(Object.keys(ends).length)
    expect(stage.service().stored().environments).toHaveLength('shop/renamed/RENAMED' in ends ? 2 : 1)
  })

  test('makes no second environment of one that was sent since, and that others renamed, on a basic service', async () => {
    const { me, other } = await two(withoutFeed)
    me.createEnvironment('shop', 'Stage')
    const putBack = backUp(me)
    await me.sync()
    await other.sync()
    other.updateParent('environment', environmentOf(other, 'stage'), { slug: 'renamed' })
    await other.sync()
    putBack()
    await me.sync()
    await me.sync()
    const { environments } = stage.service().stored()
    expect(environments.map(({ slug }) => slug).toSorted()).toEqual(['prod', 'renamed'])
    expect([me.queue(), me.drift()]).toEqual([[], []])
    expect(Object.keys(me.contents())).toEqual(['shop', 'shop/prod', 'shop/prod/A', 'shop/renamed'])
  })

  test('asks about an edit that was sent since, and that others have changed again', async () => {
    const { me, other } = await two(everything)
    me.setVariable(environmentOf(me, 'prod'), 'A', 'mine')
    const putBack = backUp(me)
    await me.sync()
    await other.sync()
    other.setVariable(environmentOf(other, 'prod'), 'A', 'theirs')
    await other.sync()
    putBack()
    await me.sync()
    expect(me.queue()).toMatchObject([{ state: 'conflict', conflict: { kind: 'fields' } }])
    expect(
      stage
        .service()
        .stored()
        .variables.map(({ value }) => me.cipher.open(value)),
    ).toEqual(['theirs'])
  })

  test('does not bring back what was sent since and then deleted, unless its user says so', async () => {
    const { me, other } = await two(everything)
    me.setVariable(environmentOf(me, 'prod'), 'NEW', 'typed')
    const putBack = backUp(me)
    await me.sync()
    await other.sync()
    other.deleteVariable(environmentOf(other, 'prod'), 'NEW')
    await other.sync()
    putBack()
    await me.sync()
    await me.sync()
    expect(stage.service().stored().variables).toHaveLength(1)
    expect(me.queue()).toMatchObject([{ kind: 'create', patch: { name: 'NEW' } }])
  })
})
