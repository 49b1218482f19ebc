import { spawn } from 'node:child_process'
import { mkdtemp, open, readdir, rm, stat, statfs, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startService } from '../support/start-service.ts'
import { client } from './support/client.ts'
import { callCommand, runCommand, runService } from './support/run-service.ts'
import { devPath, makeEnvironment, putVariables, readVariables, sealed } from './support/samples.ts'
import { mountSmallDisk } from './support/small-disk.ts'
import type { SmallDisk } from './support/small-disk.ts'

const full = 'The disk is full. Free some space and start again. No saved data was lost.'
// SQLite does not say why a file could not grow.
const unwritable = 'The disk is full or can’t be written to. Free some space or check the disk, then start again. No saved data was lost.'

/** Writes to `file` until nothing more fits. */
const fill = async (file: string): Promise<void> => {
  const handle = await open(file, 'w')
  try {
    for (;;) await handle.write(Buffer.alloc(4096))
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC')
  } finally {
    await handle.close()
  }
}

const probe = await mountSmallDisk(65_536)
await probe?.remove()

describe.runIf(probe !== null)('on a disk of its own', () => {
  let disk: SmallDisk
  beforeEach(async () => {
    const mounted = await mountSmallDisk(2 * 1024 * 1024)
    if (mounted === null) throw new Error('the disk could be mounted a moment ago')
    disk = mounted
  })
  afterEach(() => disk.remove())

  test('a start when it is full says so in one sentence, and succeeds when there is room', async () => {
    const filler = join(disk.path, 'filler')
    await fill(filler)
    const data = join(disk.path, 'data')
    const end = await runCommand('--port', '0', '--data', data)
    expect([end.code, end.stdout, end.stderr.trim().split('\n').at(-1)]).toEqual([1, '', full])
    expect(end.stderr).not.toContain('    at ')
    await rm(filler)
    const started = await runService('--data', data)
    expect(started.apiKey).toBeDefined()
    await started.stop()
  })

  test('a start where a service ran before says so too, and what was saved is there afterwards', async () => {
    const data = join(disk.path, 'data')
    const first = await runService('--data', data)
    const call = client(first.url, first.apiKey ?? '')
    await makeEnvironment(call)
    await putVariables(call, { A: '1', B: '2' })
    await first.stop()
    const filler = join(disk.path, 'filler')
    await fill(filler)
    const end = await runCommand('--port', '0', '--data', data, '--mint-key')
    expect([end.code, end.stderr.trim().split('\n').at(-1)]).toEqual([1, unwritable])
    await rm(filler)
    const again = await runService('--data', data)
    expect([...(await readVariables(client(again.url, first.apiKey ?? ''))).keys()]).toEqual(['A', 'B'])
    await again.stop()
  })

  test('a service that runs while it fills refuses writes, goes on reading, and writes again when there is room', async () => {
    const one = await runService('--data', join(disk.path, 'data'))
    const call = client(one.url, one.apiKey ?? '')
    await makeEnvironment(call)
    await putVariables(call, { A: '1' })
    const filler = join(disk.path, 'filler')
    await fill(filler)
    const large = `v1:${Buffer.alloc(600_000).toString('base64')}`
    const refused = await call('POST', `${devPath}/variables`, { name: 'LARGE', value: large })
    expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('Nothing was changed') as string])
    expect((await readVariables(call)).get('A')?.value).toBe(sealed('1'))
    await rm(filler)
    expect((await call('POST', `${devPath}/variables`, { name: 'LARGE', value: large })).status).toBe(201)
    expect((await one.stop()).code).toBe(0)
  })

  test('a backup that does not fit says so and leaves no half of one', async () => {
    const data = await mkdtemp(join(tmpdir(), 'holdfast-full-'))
    const one = await runService('--data', data)
    const call = client(one.url, one.apiKey ?? '')
    await makeEnvironment(call)
    for (const name of ['A', 'B', 'C', 'D'])
      await call('POST', `${devPath}/variables`, { name, value: `v1:${Buffer.alloc(600_000).toString('base64')}` })
    await one.stop()
    const file = join(disk.path, 'backup.jsonl')
    const end = await runCommand('backup', '--to', file, '--data', data)
    expect([end.code, end.stderr.trim()]).toEqual([1, full])
    expect(await readdir(disk.path)).toEqual([])
    await rm(data, { recursive: true })
  })

  test('a backup of which half the last line fits is none either', async () => {
    const one = await startService()
    const call = client(one.url, one.apiKey)
    await makeEnvironment(call)
    await call('POST', `${devPath}/versions`)
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-full-'))
    const whole = join(folder, 'backup.jsonl')
    await callCommand('backup', '--to', whole, '--data', one.dir)
    // With a note this long, the last 40 bytes of the backup need another page.
    const { size } = await stat(whole)
    const { bsize } = await statfs(disk.path)
    const note = 'x'.repeat(bsize - ((size - 40) % bsize))
    await one.service.store.kysely.updateTable('versions').set({ note }).execute()
    const filler = join(disk.path, 'filler')
    await fill(filler)
    await truncate(filler, (await stat(filler)).size - (size - 40 + note.length))
    const file = join(disk.path, 'backup.jsonl')
    const end = await callCommand('backup', '--to', file, '--data', one.dir)
    expect([end.code, end.stderr.trim()]).toEqual([1, full])
    expect(await readdir(disk.path)).toEqual(['filler'])
    await one.close()
    await rm(folder, { recursive: true })
  })
})

// Any process may lower its own limit, also where it may not mount a disk.
test.runIf(process.platform !== 'win32')(
  'a start where no file may grow says in one sentence that the disk cannot be written',
  async () => {
    const data = await mkdtemp(join(tmpdir(), 'holdfast-full-'))
    const main = join(import.meta.dirname, '..', '..', 'service', 'main.ts')
    const child = spawn('sh', ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, main, '--port', '0', '--data', data], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString('utf8')
    })
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    await rm(data, { recursive: true })
    expect([code, stderr.trim().split('\n').at(-1)]).toEqual([1, unwritable])
  },
)
