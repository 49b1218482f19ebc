import { once } from 'node:events'
import { _electron, errors } from '@playwright/test'
import type { ElectronApplication, Page } from '@playwright/test'
import { electronEnv } from '../../support/electron-env.ts'
import { findElectron } from '../../support/find-electron.ts'
import { appEnvironment } from './app-environment.ts'
import type { AppProcess, StartOptions } from './app-process.ts'
import { makeWorkspace } from './make-workspace.ts'
import type { Asking } from './make-workspace.ts'
import { untilDrawn } from './until-drawn.ts'

/**
 * About one launch in a hundred never gets past the moment when the debugger attaches, which no user's start has: Electron
 * then waits for its debugger and the debugger for Electron. Such a process is ended and another one started, with more time
 * each time: on a busy machine a launch is slow without being stuck.
 */
async function launch(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
  for (const timeout of [25_000, 60_000]) {
    try {
      return await _electron.launch({ ...options, timeout })
    } catch (error) {
      if (!(error instanceof errors.TimeoutError)) throw error
    }
  }
  return _electron.launch({ ...options, timeout: 120_000 })
}

/** Calls what the preload gave to the page. */
const bridgeIn = (page: Page): Asking => {
  const call = (kind: 'query' | 'command', name: string, args: unknown) =>
    page.evaluate(
      (message) => {
        const { holdfast } = window as unknown as { holdfast: Record<'query' | 'command', (name: string, args: unknown) => Promise<never>> }
        return holdfast[message.kind](message.name, message.args)
      },
      { kind, name, args },
    )
  return { query: (name, args) => call('query', name, args), command: (name, args) => call('command', name, args) }
}

/** Starts the built application in Electron. */
export async function startInElectron({
  dataDir,
  keychain,
  env: more = {},
  keepsSize = false,
  workspace,
}: StartOptions): Promise<AppProcess> {
  const electron = await findElectron()
  if (!electron.found) throw new Error(`There is no Electron to test, because ${electron.why}.`)
  const { args, cwd, env } = electronEnv(dataDir)
  const app = await launch({
    executablePath: electron.executable,
    args,
    cwd,
    env: { ...env, ...more, DBUS_SESSION_BUS_ADDRESS: appEnvironment(keychain)['DBUS_SESSION_BUS_ADDRESS'] ?? '' },
  })
  const child = app.process()
  const ended = once(child, 'exit')
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const page = await app.firstWindow({ timeout: 120_000 })
  await untilDrawn(page)
  if (!keepsSize) await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800))
  const workspaceKey = workspace === undefined ? null : await makeWorkspace(bridgeIn(page), dataDir, workspace)
  if (workspace !== undefined) {
    await page.reload()
    await untilDrawn(page)
  }

  return {
    page,
    electron: app,
    workspaceKey,
    quit: async () => {
      await app.close()
      await ended
    },
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
    output: () => output,
  }
}
