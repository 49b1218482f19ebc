import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test as base } from '@playwright/test'
import type { Browser, ElectronApplication, Page } from '@playwright/test'
import type { AppProcess, StartOptions } from './drivers/app-process.ts'
import type { Workspace } from './drivers/make-workspace.ts'
import { startPrivateDisplay } from './drivers/private-display.ts'
import type { PrivateDisplay } from './drivers/private-display.ts'
import { startInBrowser } from './drivers/start-in-browser.ts'
import { Stage } from './drivers/stage.ts'
import { startInElectron } from './drivers/start-in-electron.ts'
import { ServiceOnStage } from './service-on-stage.ts'

/** A Holdfast on a data folder of its own, that can be quit and started again. */
export interface AppUnderTest {
  /** The window as it is now; another one after `start`. */
  readonly page: Page
  /** The shell of the window, where that is Electron. */
  readonly electron: ElectronApplication
  readonly dataDir: string
  /** The key of the workspace that it made at its start: see `Workspace`. */
  readonly workspaceKey: string
  quit(): Promise<void>
  kill(): Promise<void>
  start(): Promise<void>
  restart(): Promise<void>
}

/** Starts one more Holdfast, on a new data folder under `name`. */
export type StartApp = (name: string, options?: Partial<StartOptions>) => Promise<AppUnderTest>

interface Fixtures {
  driver: 'browser' | 'electron'
  /** A folder of this test alone, removed after it. */
  folder: string
  startApp: StartApp
  /** What `app` opens with. */
  workspace: Workspace | undefined
  /** The Holdfast of a test that needs one. */
  app: AppUnderTest
  /** A running service with a data folder of its own. */
  service: ServiceOnStage
}

interface WorkerFixtures {
  /** Where hosts and services of this worker run. */
  stage: Stage
  /** The browser of this worker. Null: its driver is Electron. */
  tabs: Browser | null
  /** The X display that all windows of this worker open on. Null: the one of the user. */
  display: PrivateDisplay | null
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  display: [
    async ({}, use, worker) => {
      const display = worker.project.name === 'electron' ? await startPrivateDisplay() : null
      await use(display)
      await display?.stop()
    },
    { scope: 'worker' },
  ],

  stage: [
    async ({}, use) => {
      const stage = new Stage()
      await use(stage)
      await stage.close()
    },
    { scope: 'worker' },
  ],

  tabs: [
    async ({ playwright }, use, worker) => {
      const browser = worker.project.name === 'browser' ? await playwright.chromium.launch() : null
      await use(browser)
    },
    { scope: 'worker' },
  ],

  driver: ['browser', { option: true }],

  folder: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'holdfast-e2e-'))
    await use(folder)
    // What a killed application leaves running writes on for a moment.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  },

  startApp: async ({ tabs, stage, display, folder }, use, testInfo) => {
    const running = new Map<string, AppProcess>()
    const folders = new Map<string, string>()
    const output: string[] = []
    /** The uncaught errors of all pages. After one, a screen may not show or do all that it should. */
    const thrown: string[] = []

    const launch = (options: StartOptions) => (tabs === null ? startInElectron(options) : startInBrowser(tabs, stage, options))

    await use(async (name, options = {}) => {
      const dataDir = options.dataDir ?? path.join(folder, name)
      await mkdir(dataDir, { recursive: true })
      folders.set(name, dataDir)
      const settings: StartOptions = {
        dataDir,
        keychain: options.keychain ?? 'none',
        keepsSize: options.keepsSize ?? false,
        ownProcess: options.ownProcess ?? false,
        workspace: options.workspace,
        env: { ...(display === null ? {} : { DISPLAY: display.name }), ...options.env },
      }
      let workspaceKey = options.workspace?.key ?? null
      const current = () => {
        const process = running.get(name)
        if (process === undefined) throw new Error(`The Holdfast "${name}" is not running.`)
        return process
      }
      const start = async () => {
        const process = await launch(settings)
        running.set(name, process)
        process.page.on('pageerror', (error) => thrown.push(error.stack ?? error.message))
        workspaceKey ??= process.workspaceKey
        // A key that is pressed before the screen is there is nobody's.
        const environments = Object.values(settings.workspace?.projects ?? {}).flatMap((project) => Object.keys(project))
        if (environments.length > 0) await expect(process.page.getByRole('region', { name: /^Variables of / })).toBeVisible()
        // It is there from now on.
        delete settings.workspace
      }
      const end = async (how: 'quit' | 'kill') => {
        const process = current()
        await process[how]()
        output.push(process.output())
        running.delete(name)
      }
      const under: AppUnderTest = {
        get page() {
          return current().page
        },
        get electron() {
          const { electron } = current()
          if (electron === null) throw new Error('This Holdfast runs in a browser.')
          return electron
        },
        dataDir,
        get workspaceKey() {
          if (workspaceKey === null) throw new Error('This Holdfast made no workspace at its start.')
          return workspaceKey
        },
        start,
        quit: () => end('quit'),
        kill: () => end('kill'),
        restart: async () => {
          await end('quit')
          await start()
        },
      }
      await start()
      return under
    })

    expect.soft(thrown, 'what a page has thrown').toEqual([])
    const failed = testInfo.status !== testInfo.expectedStatus
    for (const [name, process] of running) {
      if (failed) {
        const shot = testInfo.outputPath(`${name}.png`)
        await process.page.screenshot({ path: shot }).catch(() => undefined)
        output.push(process.output())
        output.push(await readFile(path.join(folders.get(name) ?? '', 'logs/holdfast.log'), 'utf8').catch(() => 'no log'))
      }
      await process.quit().catch(() => process.kill())
    }
    if (failed) await testInfo.attach('output', { body: output.join('\n----\n'), contentType: 'text/plain' })
  },

  workspace: [undefined, { option: true }],

  app: async ({ startApp, workspace }, use) => {
    await use(await startApp('holdfast', { workspace }))
  },

  service: async ({ stage, folder }, use) => {
    const service = new ServiceOnStage(stage, path.join(folder, 'service'))
    await service.start()
    await use(service)
    await service.stop()
  },
})

export { expect }
