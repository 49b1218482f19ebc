import type { App, Session, WebContents } from 'electron'
import { originOf } from './page-address.ts'

/**
 * Holds every page of the application in its place, whatever runs in it: it may load its own origin again and nothing else,
 * opens no window, embeds no webview, and gets no permission but writing text to the clipboard.
 */
export function confineContents(app: App, session: Session, origin: string): void {
  app.on('web-contents-created', (_event, contents) => confine(contents, origin))
  const allowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && originOf(url) === origin
  session.setPermissionRequestHandler((_contents, permission, answer, details) => answer(allowed(permission, details.requestingUrl)))
  session.setPermissionCheckHandler((_contents, permission, from) => allowed(permission, from))
  session.setDevicePermissionHandler(() => false)
  // Nothing in the page downloads on its own; exports are written by the page as blobs it made itself.
  session.on('will-download', (event, item) => {
    if (!item.getURL().startsWith(`blob:${origin}`)) event.preventDefault()
  })
}

function confine(contents: WebContents, origin: string): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (originOf(event.url) !== origin) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || originOf(event.url) !== origin) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}
