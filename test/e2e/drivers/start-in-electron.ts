import { once } from 'node:events'
import { _electron } from '@playwright/test'
import { electronEnv } from '../../support/electron-env.ts'
import { findElectron } from '../../support/find-electron.ts'
import { appEnvironment } from './app-environment.ts'
import type { AppProcess, StartOptions } from './app-process.ts'

/** Starts the built application in Electron. */
export async function startInElectron({ dataDir, keychain }: StartOptions): Promise<AppProcess> {
  const electron = findElectron()
  if (!electron.found) throw new Error(electron.why)
  const { args, cwd, env } = electronEnv(dataDir)
  const app = await _electron.launch({
    executablePath: electron.executable,
    args,
    cwd,
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: appEnvironment(keychain)['DBUS_SESSION_BUS_ADDRESS'] ?? '' },
    timeout: 60_000,
  })
  const child = app.process()
  const ended = once(child, 'exit')
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const page = await app.firstWindow({ timeout: 60_000 })
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800))

  return {
    page,
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
