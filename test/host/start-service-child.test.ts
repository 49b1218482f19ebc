import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServiceChild } from '../../electron/host/start-service-child.ts'

const root = path.resolve(import.meta.dirname, '../..')
const service = path.join(root, 'service/main.ts')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-child-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A program in the place of the service. It leaves its process id in `pid`. */
function program(source: string): string {
  const file = path.join(folder, 'program.mjs')
  writeFileSync(
    file,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(path.join(folder, 'pid'))}, String(process.pid))\n${source}`,
  )
  return file
}

const pid = () => Number(readFileSync(path.join(folder, 'pid'), 'utf8'))
const isAlive = (id: number) => {
  try {
    process.kill(id, 0)
    return true
  } catch {
    return false
  }
}
const stays = 'setInterval(() => {}, 1000)'
const speaks = `console.log(JSON.stringify({ url: 'http://127.0.0.1:1', workspaceId: 'w', apiKey: 'k' }))`

describe('the real service', () => {
  test('starts with a key at bootstrap, answers it, stops, and starts again without one', async () => {
    const data = path.join(folder, 'data')
    const first = await startServiceChild(service, data, [])
    expect(first).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), workspaceId: expect.stringMatching(/.+/) })
    const answer = await fetch(`${first.url}/workspace`, { headers: { authorization: `Bearer ${first.apiKey}` } })
    expect(await answer.json()).toMatchObject({ success: true, data: { id: first.workspaceId } })
    await first.stop()
    await expect(fetch(`${first.url}/workspace`)).rejects.toThrow('fetch failed')

    const second = await startServiceChild(service, data, [])
    expect(second).toMatchObject({ workspaceId: first.workspaceId, apiKey: null })
    await second.stop()
  })

  test('takes its storage from us, whatever DATABASE_URL says', async () => {
    const before = process.env['DATABASE_URL']
    process.env['DATABASE_URL'] = 'postgres://127.0.0.1:1/nobody'
    try {
      const child = await startServiceChild(service, path.join(folder, 'data'), [])
      expect(existsSync(path.join(folder, 'data'))).toBe(true)
      await child.stop()
    } finally {
      if (before === undefined) delete process.env['DATABASE_URL']
      else process.env['DATABASE_URL'] = before
    }
  })

  test('ends when the process that started it is killed', async () => {
    const starter = path.join(folder, 'starter.mjs')
    const from = JSON.stringify(path.join(root, 'electron/host/start-service-child.ts'))
    writeFileSync(
      starter,
      `import { startServiceChild } from ${from}
       const child = await startServiceChild(${JSON.stringify(service)}, ${JSON.stringify(path.join(folder, 'data'))}, [])
       console.log(child.url)`,
    )
    const parent = spawn(process.execPath, [starter], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(parent.stdout, 'data')) as [Buffer]
    const url = line.toString().trim()
    expect((await fetch(`${url}/health`)).status).toBe(200)
    parent.kill('SIGKILL')
    const isGone = () =>
      fetch(`${url}/health`).then(
        () => false,
        () => true,
      )
    await expect.poll(isGone, { timeout: 60_000 }).toBe(true)
  })
})

describe('a service that does not start', () => {
  test.each([
    [
      'ends at once',
      'console.error("no room on the disk"); process.exit(3)',
      /ended before it was ready \(exit code 3\).*no room on the disk/s,
    ],
    ['says something else', `console.log("hello"); ${stays}`, /not its address/],
    ['names an address elsewhere', `console.log('{"url":"http://evil.example","workspaceId":"w"}'); ${stays}`, /not its address/],
    ['never ends its line', `process.stdout.write("x".repeat(100_000)); ${stays}`, /not its address/],
  ])('%s: the error says why, and no process is left', async (_name, source, message) => {
    await expect(startServiceChild(program(source), folder, [], { startMs: 120_000, stopMs: 60_000 })).rejects.toThrow(message)
    expect(isAlive(pid())).toBe(false)
  })

  test('says nothing in time: the error has its last words, and no process is left', async () => {
    const starting = startServiceChild(program(`console.error("waiting for a lock"); ${stays}`), folder, [], {
      startMs: 10_000,
      stopMs: 5_000,
    })
    await expect(starting).rejects.toThrow(/within 10 seconds.*waiting for a lock/s)
    expect(isAlive(pid())).toBe(false)
  })

  test('is not there: the error names the file', async () => {
    await expect(startServiceChild(path.join(folder, 'none.ts'), folder, [])).rejects.toThrow(/none\.ts does not exist/)
  })
})

describe('a service that runs', () => {
  test('is killed after the deadline when it does not stop', async () => {
    const source = `process.on('SIGTERM', () => {}); ${speaks}; ${stays}`
    const child = await startServiceChild(program(source), folder, [], { startMs: 120_000, stopMs: 300 })
    await child.stop()
    expect(isAlive(pid())).toBe(false)
  })

  test('tells of its end, however it ends, and can be stopped after it', async () => {
    const child = await startServiceChild(program(`${speaks}; setTimeout(() => process.exit(1), 50)`), folder, [])
    await child.exited
    await child.stop()
    expect(isAlive(pid())).toBe(false)
  })

  test('may write more than a pipe holds', async () => {
    const source = `${speaks}; process.stderr.write('x'.repeat(2_000_000), () => process.stdout.write('x'.repeat(2_000_000), () => process.exit(0)))`
    const child = await startServiceChild(program(source), folder, [])
    await child.exited
    expect(isAlive(pid())).toBe(false)
  })

  test('is given its port, its folder and what was asked for', async () => {
    const source = `console.log(JSON.stringify({ url: 'http://127.0.0.1:1', workspaceId: process.argv.slice(2).join(' ') })); ${stays}`
    const child = await startServiceChild(program(source), '/some/folder', ['--mint-key'])
    expect(child.workspaceId).toBe('--port 0 --data /some/folder --parent-watch --mint-key')
    await child.stop()
  })
})
