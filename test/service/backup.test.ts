import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkBackup, restoreBackup, writeBackup } from '../../service/store/backup.ts'
import { writeIn } from '../../service/store/write.ts'
import type { Call } from './support/client.ts'
import { databases, useServices } from './support/databases.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'

const hour = 3_600_000

/** Writes a variable so many times and gives the ETags that it had. */
const writeOften = async (call: Call, id: string, mark: string, times: number): Promise<(string | null)[]> => {
  const etags: (string | null)[] = []
  for (let time = 0; time < times; time++) etags.push((await call('PATCH', `/variables/${id}`, { value: sealed(`${mark} ${time}`) })).etag)
  return etags
}

describe.each(databases)('a backup on %s', (kind) => {
  const start = useServices(kind)

  test('is restored once a write that is under way is done', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-backup-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const { call, service } = await start()
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const file = join(folder, 'backup')
    const rows = await writeBackup(service.store, file, new Date().toISOString())
    const under = Promise.withResolvers<void>()
    const write = writeIn(service.store, service.workspaceId, { at: new Date().toISOString(), by: 'test' }, async ({ kysely }) => {
      under.resolve()
      await setTimeout(300)
      return kysely.selectFrom('audit').select('id').execute()
    })
    await under.promise
    const restored = restoreBackup(service.store, await checkBackup(file), { replace: true, now: Date.now(), randomBytes })
    expect((await write).length).toBeGreaterThan(0)
    expect(await restored).toBe(rows)
    expect([...(await readVariables(call)).keys()]).toEqual(['A'])
  })

  test('that is restored while the clock is behind gives no ETag of what was undone again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-backup-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    // The service began when the clock of its computer was ahead.
    let now = Date.now() + 24 * hour
    const first = await start({ now: () => now, ...(kind === 'SQLite' ? { storage: { dataDir: join(folder, 'data') } } : {}) })
    await makeEnvironment(first.call)
    await putVariables(first.call, { A: '1' })
    const id = (await readVariables(first.call)).get('A')?.id ?? ''
    const file = join(folder, 'backup')
    await writeBackup(first.service.store, file, new Date(now).toISOString())
    now -= 24 * hour
    const undone = await writeOften(first.call, id, 'undone', 3)
    const second = await start({ now: () => now, storage: first.storage })
    undone.push(...(await writeOften(second.call, id, 'undone after a start', 3)))

    await restoreBackup(second.service.store, await checkBackup(file), { replace: true, now, randomBytes })
    const written = await writeOften(second.call, id, 'written', 6)
    expect(undone.filter((etag) => written.includes(etag))).toEqual([])
    expect((await second.call('PATCH', `/variables/${id}`, { value: sealed('late') }, { 'if-match': undone[2] ?? '' })).status).toBe(412)
    expect((await second.call('GET', `${devPath}/variables/A`)).etag).toBe(written.at(-1))
  })
})
