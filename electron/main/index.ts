import { homedir } from 'node:os'
import { join } from 'node:path'
import { app, dialog, Menu, nativeTheme, powerMonitor, protocol, session, shell, type BrowserWindow } from 'electron'
import { createApp } from '../app/create-app.ts'
import type { Application } from '../bridge/bridge.ts'
import { err, ok, type Result } from '../bridge/result.ts'
import type { SettingsRow } from '../bridge/rows.ts'
import { createDeps } from '../shell/create-deps.ts'
import { defaultDataDir, readDataDir } from '../shell/data-dir.ts'
import { dropVariables } from '../shell/drop-variables.ts'
import { emptyCoreFiles } from '../shell/empty-core-files.ts'
import { endOnExceptions } from '../shell/end-on-exceptions.ts'
import { logRejections } from '../shell/log-rejections.ts'
import { openLog } from '../shell/open-log.ts'
import { watchLogind } from '../shell/watch-logind.ts'
import { alteredModule } from './check-native-modules.ts'
import { chromiumDir } from './chromium-dir.ts'
import { closeBeforeQuit } from './close-before-quit.ts'
import { confineContents } from './confine-contents.ts'
import { hardenProcess } from './harden-process.ts'
import { connectIpc } from './ipc.ts'
import { menuTemplate } from './menu-template.ts'
import { openWindow } from './open-window.ts'
import { pageAddress, pageScheme } from './page-address.ts'
import { renewPageAtLock } from './renew-page-at-lock.ts'
import { showAtSecondStart } from './second-instance.ts'
import { chromiumNetwork, serviceFetch } from './service-fetch.ts'
import { systemAuthentication } from './system-authentication.ts'
import { systemClipboard } from './system-clipboard.ts'
import { askWhereToSave } from './ask-where-to-save.ts'
import { servePage } from './serve-page.ts'

/** Set by the build (electron.vite.config.ts): `--mode shipped` is for users, every other mode for developers and tests. */
declare const HOLDFAST_SHIPPED: boolean

/**
 * Whether this build is for users. A constant of the build, because `app.isPackaged` depends on the name of the executable: renaming that
 * would enable debugging.
 */
const isShipped: boolean = HOLDFAST_SHIPPED

const built = (path: string) => join(import.meta.dirname, path)

// Only this user can read the files that this process and its children create.
process.umask(0o077)
emptyCoreFiles()
dropVariables(process.env)

const dataDir = readDataDir(process.argv, process.env) ?? defaultDataDir(process.platform, homedir(), process.env)
const page = pageAddress(isShipped, process.env['ELECTRON_RENDERER_URL'])

const ownDir = chromiumDir(dataDir)
app.setPath('userData', ownDir)
app.setPath('sessionData', ownDir)
hardenProcess(app, isShipped)
protocol.registerSchemesAsPrivileged([{ scheme: pageScheme, privileges: { standard: true, secure: true, supportFetchAPI: true } }])

let window: BrowserWindow | null = null

/** The system answers with why it did not, or with nothing. */
const openFolder = async (folder: string) => {
  const problem = await shell.openPath(folder)
  return problem === '' ? ok(null) : err(problem)
}

if (app.requestSingleInstanceLock()) {
  showAtSecondStart(app, focusWindow)
  void run()
} else {
  app.quit()
}

async function run(): Promise<void> {
  const log = openLog(dataDir)
  let close = async (): Promise<void> => {}
  logRejections(log)
  const end = endOnExceptions({ log, tell, close: () => close(), exit: (code) => app.exit(code) })
  // Without this, a start that fails would go on with no window, and hold the lock of the only instance.
  await start(log, (opened) => (close = opened)).catch(end)
}

/** `onOpen`: gets the function that closes the application, once that is open. */
async function start(log: ReturnType<typeof openLog>, onOpen: (close: () => Promise<void>) => void): Promise<void> {
  await app.whenReady()
  const altered = alteredModule(app.getAppPath())
  if (altered !== null) {
    await refuseToStart(`${altered} is not the file that came with Holdfast: a program may have changed it. Reinstall Holdfast.`)
    return
  }
  const network = chromiumNetwork(process.platform)
  const serviceSession = session.fromPartition('services', { cache: false })
  const authentication = systemAuthentication(process.platform)
  const own = {
    dataDir,
    log,
    network,
    fetch: serviceFetch(serviceSession),
    clipboard: systemClipboard,
    openFolder,
    askWhereToSave: async (name: string) => (window === null ? null : askWhereToSave(window, name)),
    ...(authentication && { systemAuthentication: authentication }),
  }
  const made = await createApp(createDeps({ shell: 'electron', version: app.getVersion(), ...own }))
  if (!made.ok) {
    await refuseToStart(made.error.message)
    return
  }
  onOpen(made.value.close)
  closeBeforeQuit(app, made.value, log)
  showApplication(made.value, log)
}

async function refuseToStart(sentence: string): Promise<void> {
  process.stderr.write(`${sentence}\n`)
  await dialog.showMessageBox({ type: 'error', title: 'Holdfast', message: 'Holdfast can’t start', detail: sentence, buttons: ['Quit'] })
  app.exit(1)
}

/** Tells the user one sentence, in a window if there can be one. */
async function tell(sentence: string): Promise<void> {
  process.stderr.write(`${sentence}\n`)
  if (app.isReady()) await dialog.showMessageBox({ type: 'error', title: 'Holdfast', message: sentence, buttons: ['Close Holdfast'] })
}

function showApplication(application: Application, log: ReturnType<typeof openLog>): void {
  // Only in memory: Chromium keeps nothing of the page on disk.
  const pages = session.fromPartition('page', { cache: false })
  const open = () => {
    window = openWindow({
      page,
      preload: built('../preload/index.cjs'),
      session: pages,
      devTools: !isShipped,
      boundsFile: join(ownDir, 'window.json'),
    })
    window.setContentProtection(hidesFromCapture)
    renewPageAtLock(application, window.webContents, page.url)
    window.on('closed', () => (window = null))
  }
  application.onPush(({ tables }) => tables.includes('settings') && void adoptSettings())
  let hidesFromCapture = false
  /** The settings of the window: the theme of its first paint, before the page has read the settings, and whether it can be captured. */
  const adoptSettings = async () => {
    const settings = (await application.query('settings.get', {})) as Result<SettingsRow>
    if (!settings.ok) return
    nativeTheme.themeSource = settings.value.theme
    hidesFromCapture = settings.value.hideFromCapture
    window?.setContentProtection(hidesFromCapture)
  }
  servePage(pages, built('../renderer'))
  confineContents(app, pages, session.defaultSession, page.origin)
  connectIpc(application, () => window, page.origin, log)
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(process.platform, isShipped)))
  powerMonitor.on('resume', () => application.wake())
  powerMonitor.on('suspend', () => void application.lock())
  powerMonitor.on('lock-screen', () => void application.lock())
  // On Linux, Electron does not report that the screen was locked.
  if (process.platform === 'linux') watchLogind(() => void application.lock())
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit()
  })
  // Not before the window has opened: macOS also reports the start, and a click on the Dock could come while the settings are read.
  const openFirst = () => {
    open()
    app.on('activate', () => (window ? focusWindow() : open()))
  }
  void adoptSettings().then(openFirst)
}

function focusWindow(): void {
  if (!window) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}
