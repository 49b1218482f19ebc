import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { _electron } from '@playwright/test'
import { findElectron } from '../support/find-electron.ts'
import { packageApp } from '../support/package-app.ts'
import { expect, test } from './fixtures.ts'
import { serveElsewhere } from './steps/serve-elsewhere.ts'

/** Permissions that a page can ask about by name; the other ones are asked for by what needs them. */
const permissions = [
  'geolocation',
  'notifications',
  'camera',
  'microphone',
  'clipboard-read',
  'midi',
  'persistent-storage',
  'storage-access',
]

/** Those of the window's preferences that Electron tells. */
const fixedPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  webviewTag: false,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  enableBlinkFeatures: '',
}

test(
  'the packaged application keeps the checklist of Electron, asked from its inside',
  { tag: '@shell' },
  async ({ folder, display, driver }) => {
    test.skip(driver !== 'electron', 'A browser host is no packaged application.')
    // As for users, but for the one fuse and the build constant that let a test in.
    const { executable } = await packageApp(folder, 'production', ['-c.electronFuses.enableNodeCliInspectArguments=true'])
    const { NODE_OPTIONS: _, ...inherited } = process.env
    const env = Object.fromEntries(Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined))
    const electron = await _electron.launch({
      executablePath: executable,
      args: ['--data-dir', path.join(folder, 'data'), ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      env: { ...env, ...(display === null ? {} : { DISPLAY: display.name }), DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
      timeout: 120_000,
    })
    const elsewhere = await serveElsewhere((path, response) =>
      response.writeHead(path === '/' ? 302 : 200, { location: '/taken' }).end('taken'),
    )
    const redirecting = `${elsewhere.origin}/`
    try {
      const page = await electron.firstWindow({ timeout: 120_000 })
      await expect(page.getByText('Start a local workspace')).toBeVisible({ timeout: 120_000 })

      await test.step('it runs from its archive, on one page of its own', async () => {
        expect(await electron.evaluate(({ app }) => [app.isPackaged, app.getAppPath().endsWith('app.asar')])).toEqual([true, true])
        expect(page.url()).toBe('app://holdfast/index.html')
      })

      await test.step('2, 3, 4, 6, 8 to 12: the window has the fixed preferences', async () => {
        const preferences = await electron.evaluate(({ BrowserWindow }, names) => {
          // Electron's types leave it out.
          const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
          const set = contents.getLastWebPreferences()
          return Object.fromEntries(names.map((name) => [name, set[name]]))
        }, Object.keys(fixedPreferences))
        expect(preferences).toEqual(fixedPreferences)
      })

      await test.step('2, 20: the page knows nothing of Node, and three functions of the application', async () => {
        const seen = await page.evaluate(() => ({
          node: ['require', 'process', 'module', 'global', 'Buffer'].filter((name) => name in globalThis),
          bridge: Object.keys((window as unknown as { holdfast: object }).holdfast).sort(),
        }))
        expect(seen).toEqual({ node: [], bridge: ['command', 'onPush', 'query'] })
      })

      await test.step('5: no permission is given, in the session of the page and in the default one', async () => {
        const ofPage = await page.evaluate(
          (names) =>
            Promise.all(
              names.map((name) =>
                navigator.permissions.query({ name: name as PermissionName }).then(
                  ({ state }) => state as string,
                  () => 'unknown',
                ),
              ),
            ),
          permissions,
        )
        expect(ofPage.filter((state) => state === 'granted')).toEqual([])
        expect(await page.evaluate(() => Notification.requestPermission())).toBe('denied')
        const ofDefault = await electron.evaluate(async ({ BrowserWindow, session }) => {
          const stray = new BrowserWindow({ show: false, webPreferences: { session: session.defaultSession } })
          await stray.loadURL('data:text/html,stray')
          const run = (code: string) => stray.webContents.executeJavaScript(code) as Promise<unknown>
          const found = [
            await run('Notification.requestPermission()'),
            await run('navigator.permissions.query({ name: "geolocation" }).then(({ state }) => state)'),
            await run('window.open("https://example.com/") === null'),
          ]
          stray.destroy()
          return found
        })
        expect(ofDefault).toEqual(['denied', 'denied', true])
      })

      await test.step('1, 7, 18: nothing but its own files is loaded, and no text becomes code or markup', async () => {
        const outcome = await page.evaluate(async (origin) => {
          // What a debugger runs itself may make code of text; what comes after it may not.
          await new Promise((resolve) => setTimeout(resolve))
          const outcomeOf = (work: () => unknown) =>
            Promise.resolve()
              .then(work)
              .then(
                () => 'done',
                () => 'refused',
              )
          return {
            http: await outcomeOf(() => fetch(`${origin}data`)),
            file: await outcomeOf(() => fetch('file:///etc/hostname')),
            // oxlint-disable-next-line typescript/no-implied-eval
            code: await outcomeOf(() => Function('return 1')() as unknown),
            markup: await outcomeOf(() => (document.createElement('div').innerHTML = '<b>x</b>')),
            worker: await outcomeOf(() => new Worker('data:text/javascript,1')),
          }
        }, redirecting)
        expect(elsewhere.asked).toEqual([])
        expect(outcome).toEqual({ http: 'refused', file: 'refused', code: 'refused', markup: 'refused', worker: 'refused' })
      })

      await test.step('11, 12, 13, 14, 15: no webview, frame, window, redirect or other page, and nothing is handed to the system', async () => {
        await electron.evaluate(({ shell }) => {
          shell.openExternal = async () => void ((globalThis as { handed?: boolean }).handed = true)
        })
        const inFrame = await page.evaluate(async () => {
          const frame = document.createElement('iframe')
          document.body.append(frame)
          const inside = frame.contentWindow !== null && 'holdfast' in frame.contentWindow
          frame.src = 'app://holdfast/index.html'
          await new Promise((resolve) => setTimeout(resolve, 500))
          const isLoaded = frame.contentDocument?.querySelector('#app') != null
          frame.remove()
          const view = document.createElement('webview')
          view.setAttribute('src', 'https://example.com/')
          document.body.append(view)
          const link = document.createElement('a')
          link.href = 'https://example.com/'
          link.target = '_blank'
          document.body.append(link)
          link.click()
          return { inside, isLoaded, opened: window.open('https://example.com/') !== null }
        })
        expect(inFrame).toEqual({ inside: false, isLoaded: false, opened: false })
        for (const away of ['https://example.com/', 'file:///etc/hostname', 'app://elsewhere/', redirecting])
          await page.evaluate((url) => window.location.assign(url), away).catch(() => undefined)
        const seen = await electron.evaluate(async ({ BrowserWindow, webContents }, url) => {
          const all = webContents.getAllWebContents().length
          // A window that the application itself sent to a redirect.
          const window = BrowserWindow.getAllWindows()[0]
          const other = new BrowserWindow({ show: false, ...(window && { webPreferences: { session: window.webContents.session } }) })
          await other.loadURL(url).catch(() => undefined)
          const reached = other.webContents.getURL()
          other.destroy()
          return { all, reached, handed: (globalThis as { handed?: boolean }).handed ?? false }
        }, redirecting)
        expect(seen).toEqual({ all: 1, reached: '', handed: false })
        expect(page.url()).toBe('app://holdfast/index.html')
      })

      await test.step('the page downloads nothing', async () => {
        await electron.evaluate(({ BrowserWindow }) => {
          BrowserWindow.getAllWindows()[0]?.webContents.session.on('will-download', (event, item) => {
            ;(globalThis as { refused?: boolean }).refused = event.defaultPrevented
            item.cancel()
          })
        })
        await page.evaluate(() => {
          const link = document.createElement('a')
          link.href = URL.createObjectURL(new Blob(['text']))
          link.download = 'text.txt'
          link.click()
        })
        await expect.poll(() => electron.evaluate(() => (globalThis as { refused?: boolean }).refused)).toBe(true)
      })

      await test.step('16: it runs the Electron that is installed, whose version package-lock.json pins', async () => {
        const installed = await findElectron()
        if (!installed.found) throw new Error(installed.why)
        const asNode = { env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } }
        const { stdout } = await promisify(execFile)(installed.executable, ['-p', 'process.versions.electron'], asNode)
        expect(await electron.evaluate(() => process.versions['electron'])).toBe(stdout.trim())
      })

      await test.step('17: neither a second window with the same preload is answered, nor another page in the one window', async () => {
        const said = await electron.evaluate(async ({ app, BrowserWindow }, another) => {
          const window = BrowserWindow.getAllWindows()[0]
          if (window === undefined) throw new Error('no window')
          const preload = `${app.getAppPath()}/out/preload/index.cjs`
          const second = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, session: window.webContents.session } })
          await second.loadURL(window.webContents.getURL())
          const ask = 'holdfast.query("app.status", {}).then(() => "answered", (error) => error.message)'
          const fromSecond = (await second.webContents.executeJavaScript(ask)) as string
          second.destroy()
          await window.loadURL(another)
          return [fromSecond, (await window.webContents.executeJavaScript(ask)) as string]
        }, `${redirecting}taken`)
        expect(said).toEqual([expect.stringContaining('refused'), expect.stringContaining('refused')])
      })
    } finally {
      elsewhere.close()
      await electron.close()
    }
  },
)
