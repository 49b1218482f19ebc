import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlink, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { promisify } from 'node:util'
import { electronEnv } from '../support/electron-env.ts'
import { findElectron } from '../support/find-electron.ts'
import { expect, test } from './fixtures.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** The build for users, in `folder`, as an application that Electron starts. */
async function buildShipped(folder: string): Promise<void> {
  const builder = path.join(root, 'node_modules/electron-vite/bin/electron-vite.js')
  const args = [builder, 'build', '--mode', 'shipped', '--logLevel', 'error', '--outDir', path.join(folder, 'out')]
  await promisify(execFile)(process.execPath, args, { cwd: root })
  await writeFile(
    path.join(folder, 'package.json'),
    JSON.stringify({ name: 'holdfast', version: '0.0.0', type: 'module', main: 'out/main/index.cjs' }),
  )
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

/** Whether a debugger is let in by an Electron on that application within the time in which it is up. */
async function letsDebuggerIn(app: string, dataDir: string, display: string | undefined): Promise<boolean> {
  const electron = await findElectron()
  if (!electron.found) throw new Error(`There is no Electron to test, because ${electron.why}.`)
  const port = await freePort()
  const { args, env } = electronEnv(dataDir)
  const child: ChildProcess = spawn(
    electron.executable,
    [app, ...args.slice(1), `--remote-debugging-port=${port}`, '--remote-allow-origins=*'],
    {
      cwd: root,
      env: { ...env, ...(display !== undefined && { DISPLAY: display }), DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
      stdio: 'ignore',
      detached: true,
    },
  )
  const ended = once(child, 'exit')
  try {
    // Its window is open once the page's file of bounds or the log is there; a debugger's port is open long before.
    for (let tries = 0; tries < 60; tries++) {
      if (await answers(port)) return true
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    return false
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGTERM')
    await ended
  }
}

test(
  'the build for users lets no debugger in, whatever its file is called; one for developers does',
  { tag: '@shell' },
  async ({ driver, folder, display }) => {
    test.skip(driver !== 'electron', 'A browser host has no such door.')
    await buildShipped(folder)
    expect(await letsDebuggerIn(root, path.join(folder, 'developer'), display?.name)).toBe(true)
    expect(await letsDebuggerIn(folder, path.join(folder, 'shipped'), display?.name)).toBe(false)
  },
)

test('the window has the fixed preferences, and the default session gives nothing', { tag: '@shell' }, async ({ app, driver }) => {
  test.skip(driver !== 'electron', 'A browser has its own.')
  const found = await app.electron.evaluate(async ({ BrowserWindow, session }) => {
    const [window, ...others] = BrowserWindow.getAllWindows()
    // Electron's types leave it out.
    const contents = window?.webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
    const preferences = contents.getLastWebPreferences()
    const names = [
      'sandbox',
      'contextIsolation',
      'nodeIntegration',
      'nodeIntegrationInSubFrames',
      'nodeIntegrationInWorker',
      'webSecurity',
      'webviewTag',
      'allowRunningInsecureContent',
      'experimentalFeatures',
      'enableBlinkFeatures',
      'navigateOnDragDrop',
      'spellcheck',
      'enableWebSQL',
    ]
    const stray = new BrowserWindow({ show: false, webPreferences: { session: session.defaultSession } })
    await stray.loadURL('data:text/html,stray')
    const permission = (await stray.webContents.executeJavaScript('Notification.requestPermission()')) as string
    const opened = (await stray.webContents.executeJavaScript('window.open("https://example.com/") === null')) as boolean
    stray.destroy()
    return { others: others.length, set: Object.fromEntries(names.map((name) => [name, preferences[name] ?? false])), permission, opened }
  })
  expect(found).toEqual({
    others: 0,
    permission: 'denied',
    opened: true,
    set: {
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      enableBlinkFeatures: '',
      navigateOnDragDrop: false,
      spellcheck: false,
      enableWebSQL: false,
    },
  })
})

test('a second window that has the bridge is refused by the application', { tag: '@shell' }, async ({ app, driver }) => {
  test.skip(driver !== 'electron', 'A tab proves itself by its secret.')
  const answer = await app.electron.evaluate(
    async ({ BrowserWindow }, preload) => {
      const [window] = BrowserWindow.getAllWindows()
      if (window === undefined) throw new Error('no window')
      const second = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true, session: window.webContents.session } })
      await second.loadURL(window.webContents.getURL())
      const said = (await second.webContents.executeJavaScript(
        'holdfast.query("app.status", {}).then(() => "answered", (error) => error.message)',
      )) as string
      second.destroy()
      return said
    },
    path.join(root, 'out/preload/index.cjs'),
  )
  expect(answer).toContain('refused')
})

test('text does not become markup in the page', { tag: '@shell' }, async ({ app }) => {
  const outcome = await app.page.evaluate(() => {
    try {
      document.createElement('div').innerHTML = '<b>x</b>'
      return 'written'
    } catch (error) {
      return error instanceof TypeError ? 'refused' : 'failed'
    }
  })
  expect(outcome).toBe('refused')
})
