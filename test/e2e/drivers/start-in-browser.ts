import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { appEnvironment } from './app-environment.ts'
import type { AppProcess, StartOptions } from './app-process.ts'
import { firstLine } from './first-line.ts'
import { untilDrawn } from './until-drawn.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** Starts the browser host on a free port and opens the address it prints in a tab with no past. */
export async function startInBrowser(browser: Browser, { dataDir, keychain, env = {} }: StartOptions): Promise<AppProcess> {
  const args = ['electron/host/main.ts', '--port', '0', '--data-dir', dataDir, '--no-open']
  const host = spawn(process.execPath, args, { cwd: root, env: { ...appEnvironment(keychain), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(host, 'close')
  let output = ''
  host.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  host.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))

  const { url }: { url: string } = JSON.parse(await firstLine(host, 120_000))
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  await page.goto(url, { timeout: 120_000 })
  await untilDrawn(page)

  const end = async (signal: NodeJS.Signals) => {
    await context.close()
    host.kill(signal)
    await ended
  }
  return { page, electron: null, quit: () => end('SIGTERM'), kill: () => end('SIGKILL'), output: () => output }
}
