import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { AppDeps } from '../app/app-deps.ts'
import { createApp } from '../app/create-app.ts'
import type { KeyStores } from '../app/keys/key-stores.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import { createDeps } from '../shell/create-deps.ts'
import { defaultDataDir } from '../shell/data-dir.ts'
import { dropVariables } from '../shell/drop-variables.ts'
import { emptyCoreFiles } from '../shell/empty-core-files.ts'
import { endOnExceptions } from '../shell/end-on-exceptions.ts'
import { logRejections } from '../shell/log-rejections.ts'
import { openLog } from '../shell/open-log.ts'
import { systemNetwork } from '../shell/system-network.ts'
import { watchLogind } from '../shell/watch-logind.ts'
import { createHostServer } from './create-host-server.ts'
import { lockAfterSleep, type SleepClock } from './lock-after-sleep.ts'

export interface RunningHost {
  /** Ends the page's connections, then the application. */
  close(): Promise<void>
}

/**
 * Starts the application and serves it to the browser. Calls `announce` with each address that lets a browser in: at the start, and again
 * when one was spent. The error is a sentence for the terminal. After an error nothing is left running.
 */
export async function runHost(options: {
  /** The folder of the source tree, with the built page. */
  root: string
  port: number
  dataDir: string | null
  announce(url: string): void
}): Promise<Result<RunningHost, string>> {
  // Only this user can read the files that this process and its children create.
  process.umask(0o077)
  emptyCoreFiles()
  dropVariables(process.env)
  const asked = options.dataDir ?? process.env['HOLDFAST_DATA_DIR']
  const dataDir = asked ? resolve(asked) : defaultDataDir(process.platform, homedir(), process.env)
  const log = openLog(dataDir)
  logRejections(log)
  let close = async (): Promise<void> => {}
  endOnExceptions({
    log,
    tell: (sentence) => void process.stderr.write(`${sentence}\n`),
    close: () => close(),
    exit: (code) => process.exit(code),
  })
  const opening = openHost({ ...options, dataDir, log })
  close = async () => {
    const opened = await opening
    if (opened.ok) await opened.value.close()
  }
  return opening
}

/**
 * Opens the application on `dataDir` and serves it. Does not change the process, which may be shared. `stores` and `clock` replace those of
 * this computer.
 */
export async function openHost(options: {
  root: string
  port: number
  dataDir: string
  log: AppDeps['log']
  announce(url: string): void
  stores?: KeyStores
  clock?: SleepClock
}): Promise<Result<RunningHost, string>> {
  const { root, port, dataDir, log, announce, stores, clock } = options
  const own = { dataDir, log, ...systemNetwork(process.env) }
  const made = await createApp(createDeps({ shell: 'browser', version: readVersion(root), ...own }), stores)
  if (!made.ok) return err(made.error.message)
  const application = lockAfterSleep(made.value, clock)
  const stopWatching = process.platform === 'linux' ? watchLogind(() => void application.lock()) : () => {}
  try {
    const server = await createHostServer({ application, pageDir: join(root, 'out/renderer'), port, log, announce })
    return ok({
      async close() {
        stopWatching()
        await server.close()
        await application.close()
      },
    })
  } catch (error) {
    stopWatching()
    await application.close()
    return err(listenProblem(error, port))
  }
}

function readVersion(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return version
}

function listenProblem(error: unknown, port: number): string {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'EADDRINUSE') return `Port ${port} is in use by another program. Choose another with --port, or omit --port.`
  if (code === 'EACCES') return `Holdfast isn't allowed to use port ${port}. Choose one above 1023 with --port, or omit --port.`
  throw error
}
