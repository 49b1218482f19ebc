import { BrowserWindow, nativeTheme, screen, type Session } from 'electron'
import type { PageAddress } from './page-address.ts'
import { fitBounds, readBounds, smallestWindow, writeBounds } from './window-bounds.ts'

/** The page's background in each theme. The window shows it before the page's first paint. */
const background = { light: '#ffffff', dark: '#111113' }

/**
 * Opens the one window on the page. The page is sandboxed: no Node, no navigation, no windows of its own. Its title is always 'Holdfast':
 * screen recorders and task lists read titles, and must not see names of variables.
 */
export function openWindow(options: {
  page: PageAddress
  preload: string
  session: Session
  devTools: boolean
  boundsFile: string
}): BrowserWindow {
  const kept = readBounds(options.boundsFile)
  const window = new BrowserWindow({
    ...fitBounds(
      kept,
      screen.getAllDisplays().map((display) => display.workArea),
    ),
    minWidth: smallestWindow.width,
    minHeight: smallestWindow.height,
    title: 'Holdfast',
    show: false,
    backgroundColor: nativeTheme.shouldUseDarkColors ? background.dark : background.light,
    webPreferences: {
      preload: options.preload,
      session: options.session,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      navigateOnDragDrop: false,
      devTools: options.devTools,
    },
  })
  if (kept?.maximized) window.maximize()
  window.once('ready-to-show', () => window.show())
  window.on('page-title-updated', (event) => event.preventDefault())
  window.on('close', () => writeBounds(options.boundsFile, { ...window.getNormalBounds(), maximized: window.isMaximized() }))
  void window.loadURL(options.page.url)
  return window
}
