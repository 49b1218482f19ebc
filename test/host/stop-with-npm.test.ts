import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

let folder: string
let npm: ChildProcess | undefined
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'holdfast-stop-'))
})
afterEach(() => {
  npm?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** Starts a script with npm, in a shell that ends at a SIGTERM without passing it on, as some do. Returns the address it prints. */
async function run(script: string, args: string[]): Promise<string> {
  const shell = path.join(folder, 'shell')
  writeFileSync(shell, '#!/bin/sh\neval "$2\n:"\n')
  chmodSync(shell, 0o700)
  npm = spawn('npm', ['run', '-s', `--script-shell=${shell}`, script, '--', ...args], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    env: { ...process.env, ELECTRON_OVERRIDE_DIST_PATH: '/nonexistent' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let output = ''
  npm.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')))
  const address = /http:\/\/127\.0\.0\.1:\d+/
  await expect.poll(() => output, { timeout: 60_000, interval: 50 }).toMatch(address)
  return address.exec(output)?.[0] ?? ''
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

describe.runIf(process.platform !== 'win32')('npm that is told to stop', () => {
  test.each(['start', 'host', 'service'])('ends what npm run %s has started', async (script) => {
    const data = path.join(folder, 'data')
    const url = await run(script, script === 'service' ? ['--data', data] : ['--no-open', '--data-dir', data])
    expect(await answers(url)).toBe(true)
    npm?.kill('SIGTERM')
    await expect.poll(() => answers(url), { timeout: 20_000, interval: 100 }).toBe(false)
  })
})
