import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AppDeps } from '../../../electron/app/app-deps.ts'
import { createApp } from '../../../electron/app/create-app.ts'
import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import type { KeyStores } from '../../../electron/app/keys/key-stores.ts'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Application } from '../../../electron/bridge/bridge.ts'
import type { CommandName, Commands, Push, Queries, QueryName } from '../../../electron/bridge/contract.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'

/** The real key stores of a folder, on a computer without a keychain: tests never reach for the keychain of whoever runs them. */
export const storesWithoutKeychain = (dataDir: string): KeyStores => ({
  ...createKeyStores(dataDir, cheapDerivation),
  probeKeychain: async () => 'absent',
})

export interface TestApp {
  app: Application
  dataDir: string
  logged: unknown[]
  pushes: Push[]
  query<N extends QueryName>(name: N, args: Queries[N]['args']): Promise<Result<Queries[N]['value']>>
  command<N extends CommandName>(name: N, args: Commands[N]['args']): Promise<Result<Commands[N]['value']>>
  /** Asks again until `accept` says yes; the last answer is in the error of a test that waits in vain. */
  until<N extends QueryName>(
    name: N,
    args: Queries[N]['args'],
    accept: (value: Queries[N]['value']) => boolean,
  ): Promise<Queries[N]['value']>
}

/** The value of a result that a test takes for granted. */
export const valueOf = <T>(result: Result<T, AppError>): T => {
  if (!result.ok) throw new Error(`${result.error.kind}: ${result.error.message}`)
  return result.value
}

/** Connects an application to a workspace that has no values yet; gives its id there. */
export const connectTo = async (it: TestApp, { url, apiKey }: { url: string; apiKey: string }): Promise<{ workspaceId: string }> => {
  const args = { baseUrl: url, apiKey, allowInsecure: false, workspaceKey: null, confirmNoValues: true }
  return valueOf(await it.command('workspaces.connect', args))
}

/** The folder of the data of a local workspace's service. */
export const serviceFolder = ({ dataDir }: TestApp, workspaceId: string): string => join(dataDir, 'workspaces', workspaceId, 'service')

/** Whether the service of a local workspace has its database open: its log is there only then. */
export const serviceRuns = (it: TestApp, workspaceId: string): boolean => existsSync(join(serviceFolder(it, workspaceId), 'service.db-wal'))

/** Folders and applications of one test file, cleared away together. */
export const createStage = () => {
  const open: Application[] = []
  const folders: string[] = []

  const folder = async (): Promise<string> => {
    const made = await mkdtemp(join(tmpdir(), 'holdfast-app-'))
    folders.push(made)
    return made
  }

  /** Starts the application as a shell does, with real parts. */
  const start = async (options: { dataDir?: string; stores?: KeyStores; deps?: Partial<AppDeps> } = {}): Promise<TestApp> => {
    const dataDir = options.dataDir ?? (await folder())
    const logged: unknown[] = []
    const pushes: Push[] = []
    const deps: AppDeps = {
      shell: 'browser',
      version: '0.0.0',
      platform: process.platform,
      dataDir,
      log: (level, message, data) => logged.push({ level, message, data }),
      now: Date.now,
      randomBytes: (length) => new Uint8Array(randomBytes(length)),
      fetch,
      network: { proxy: 'None', certificates: 'None' },
      ...options.deps,
    }
    const app = valueOf(await createApp(deps, options.stores ?? storesWithoutKeychain(dataDir)))
    open.push(app)
    app.onPush((push) => pushes.push(push))
    const query = <N extends QueryName>(name: N, args: Queries[N]['args']) => app.query(name, args) as Promise<Result<Queries[N]['value']>>
    return {
      app,
      dataDir,
      logged,
      pushes,
      query,
      command: <N extends CommandName>(name: N, args: Commands[N]['args']) =>
        app.command(name, args) as Promise<Result<Commands[N]['value']>>,
      until: async (name, args, accept) => {
        for (let tries = 0; ; tries += 1) {
          const answer = await query(name, args)
          if (answer.ok && accept(answer.value)) return answer.value
          if (tries === 2000) throw new Error(`${name} never came to be as expected: ${JSON.stringify(answer)} ${JSON.stringify(logged)}`)
          await new Promise((done) => setTimeout(done, 50))
        }
      },
    }
  }

  return {
    folder,
    start,
    clear: async () => {
      await Promise.all(open.splice(0).map((app) => app.close()))
      for (const each of folders.splice(0)) await rm(each, { recursive: true, force: true })
    },
  }
}
