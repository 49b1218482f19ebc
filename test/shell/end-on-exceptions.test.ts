import { spawn, spawnSync, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const running: ChildProcess[] = []
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-crash-'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Node with the handler in it and `script` after that. */
function run(script: string) {
  const module = join(root, 'electron/shell/end-on-exceptions.ts')
  const setUp = `import { endOnExceptions } from ${JSON.stringify(module)}
    const log = (level, message, data) => console.log(JSON.stringify({ message, name: data.name, reference: data.reference, all: JSON.stringify(data) }))
    const exit = (code) => process.exit(code)
    const tell = (sentence) => console.error(sentence)\n`
  return spawnSync(process.execPath, ['--input-type=module', '-e', setUp + script], { encoding: 'utf8' })
}

test('an exception that nothing caught closes the application first, and says one sentence with the reference of the log', () => {
  const ended = run(`endOnExceptions({ log, exit, tell, close: async () => console.log('closed') })
    setTimeout(() => { throw new RangeError('the value is s3cret') })`)
  const [logged = '', closed] = ended.stdout.trim().split('\n')
  const { reference, name } = JSON.parse(logged) as { reference: string; name: string }
  expect(name).toBe('RangeError')
  expect(closed).toBe('closed')
  expect(ended.stderr.trim().split('\n')).toEqual([expect.stringContaining(`include ${reference}.`)])
  expect(ended.stdout + ended.stderr).not.toContain('s3cret')
  expect(ended.status).toBe(1)
})

test.each([
  { says: 'a second exception while it closes', close: `() => new Promise(() => setTimeout(() => { throw new Error('s3cret') }))` },
  { says: 'a close that fails', close: `() => Promise.reject(new Error('s3cret'))` },
])('$says ends it too', ({ close }) => {
  const ended = run(`endOnExceptions({ log, exit, tell, close: ${close} })
    setTimeout(() => { throw new Error('s3cret') })`)
  expect(ended.stdout + ended.stderr).not.toContain('s3cret')
  expect(ended.status).toBe(1)
})

test('a start that fails ends it as an uncaught exception does', () => {
  const ended = run(`const end = endOnExceptions({ log, exit, tell, close: async () => console.log('closed') })
    await Promise.reject(new Error('the value is s3cret')).catch(end)
    setInterval(() => {}, 1000)`)
  expect(ended.stdout).toContain('closed')
  expect(ended.stderr.trim().split('\n')).toEqual([expect.stringContaining('it has to close')])
  expect(ended.stdout + ended.stderr).not.toContain('s3cret')
  expect(ended.status).toBe(1)
})

/** The browser host as a user starts it, with a mistake in it that a line from the terminal sets off. */
async function startHost(): Promise<{ child: ChildProcessWithoutNullStreams; firstLine: string; output: () => string }> {
  const mistake = join(folder, 'mistake.mjs')
  writeFileSync(mistake, `process.stdin.once('data', () => { throw new Error('the value is s3cret') })`)
  const args = [
    '--import',
    pathToFileURL(mistake).href,
    'electron/host/main.ts',
    '--port',
    '0',
    '--data-dir',
    join(folder, 'data'),
    '--no-open',
  ]
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'pipe' })
  running.push(child)
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await expect.poll(() => output, { timeout: 60_000, interval: 50 }).toContain('\n')
  return { child, firstLine: output.split('\n')[0] ?? '', output: () => output }
}

test('a Holdfast in the browser that meets such an exception says so on its terminal, shows no stack, and can be started again at once', async () => {
  const { child, firstLine, output } = await startHost()
  expect(firstLine).toContain('http://127.0.0.1')
  child.stdin.write('now\n')
  expect(await once(child, 'close')).toEqual([1, null])
  const said = output().slice(firstLine.length).trim()
  expect(said.split('\n')).toEqual([expect.stringMatching(/^Something went wrong in Holdfast.* include [0-9a-f]{8}\.$/)])
  const log = readFileSync(join(folder, 'data/logs/holdfast.log'), 'utf8')
  expect(log).toContain(/include ([0-9a-f]{8})/.exec(said)?.[1] ?? 'no reference')
  expect(log + output()).not.toContain('s3cret')
  // The folder is free again.
  const again = await startHost()
  expect(again.firstLine).toContain('http://127.0.0.1')
})
