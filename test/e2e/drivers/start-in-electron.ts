import { once } from 'node:events'
import { _electron, errors } from '@playwright/test'
import type { ElectronApplication } from '@playwright/test'
import { electronEnv } from '../../support/electron-env.ts'
import { findElectron } from '../../support/find-electron.ts'
import { appEnvironment } from './app-environment.ts'
import type { AppProcess, StartOptions } from './app-process.ts'
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

/** Starts the built application in Electron. */
export async function startInElectron({ dataDir, keychain, env: more = {}, keepsSize = false }: StartOptions): Promise<AppProcess> {
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

  return {
    page,
    electron: app,
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
