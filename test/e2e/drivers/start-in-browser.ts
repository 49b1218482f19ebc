import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import { appEnvironment } from './app-environment.ts'
import type { AppProcess, StartOptions } from './app-process.ts'
import { firstLine } from './first-line.ts'
import { makeWorkspace } from './make-workspace.ts'
import { slowPage } from './slow-page.ts'
import type { Stage } from './stage.ts'
import { throughSocket } from './through-socket.ts'
import { untilDrawn } from './until-drawn.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** A browser host, at an address that lets in once. */
interface Host {
  url: string
  /** The address that lets in once `url` was spent. */
  nextUrl(): Promise<string>
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
  output(): string
}

/** Serves a data folder on the stage of the worker, or in a process of its own where that is asked for or the environment differs. */
const startHost = (stage: Stage, options: StartOptions): Promise<Host> =>
  options.ownProcess === true || options.keychain !== 'none' || Object.keys(options.env ?? {}).length > 0
    ? startHostProcess(options)
    : startHostOnStage(stage, options.dataDir)

async function startHostOnStage(stage: Stage, dataDir: string): Promise<Host> {
  const { url } = await stage.ask({ do: 'startHost', dataDir })
  return {
    url,
    nextUrl: async () => {
      await knock(url)
      return (await stage.ask({ do: 'addressOf', dataDir })).url
    },
    end: async (signal) => {
      if (signal === 'SIGKILL') throw new Error('Only a process can be killed: start this Holdfast with `ownProcess`.')
      await stage.ask({ do: 'stop', dir: dataDir })
    },
    output: () => stage.output(),
  }
}

/** Serves a data folder from a process of its own; `through` is a command that ends by running the one behind it. */
export async function startHostProcess(
  { dataDir, keychain, env = {}, port = '0' }: StartOptions & { port?: string },
  through: readonly string[] = [],
): Promise<Host> {
  const args = ['electron/host/main.ts', '--port', port, '--data-dir', dataDir, '--no-open']
  const [command = '', ...rest] = [...through, process.execPath, ...args]
  const host = spawn(command, rest, { cwd: root, env: { ...appEnvironment(keychain), ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(host, 'close')
  let output = ''
  host.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  host.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const { url }: { url: string } = JSON.parse(await firstLine(host, 120_000))
  return {
    url,
    nextUrl: async () => {
      await knock(url)
      for (;;) {
        const last = output.split('\n').findLast((line) => line.startsWith('{"url":') && line.endsWith('}'))
        const next: { url: string } = JSON.parse(last ?? '{"url":""}')
        if (next.url !== url && next.url !== '') return next.url
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
    end: async (signal) => {
      host.kill(signal)
      await ended
    },
    output: () => output,
  }
}

/** Comes with an address that was spent: the host then announces the next one. */
const knock = (url: string) => fetch(url)

/** Starts the browser host on a free port and opens its address in a tab with no past. */
export async function startInBrowser(browser: Browser, stage: Stage, options: StartOptions): Promise<AppProcess> {
  const host = await startHost(stage, options)
  const { dataDir, workspace } = options
  const workspaceKey = workspace === undefined ? null : await throughSocket(host.url, (bridge) => makeWorkspace(bridge, dataDir, workspace))
  const url = workspace === undefined ? host.url : await host.nextUrl()
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  // A browser with a window lets the page in front write to the clipboard without asking. One without refuses unless it is told.
  await context.grantPermissions(['clipboard-write'])
  const page = await context.newPage()
  await slowPage(page)
  await page.goto(url, { timeout: 120_000 })
  await untilDrawn(page)

  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    await context.close()
    await host.end(signal)
  }
  return { page, electron: null, workspaceKey, quit: () => end('SIGTERM'), kill: () => end('SIGKILL'), output: () => host.output() }
}
