import type { App, Session, WebContents } from 'electron'
import { originOf } from './page-address.ts'

/**
 * Confines every page of the application, whatever code runs in it. A page can load only its own origin again, opens no window and embeds
 * no webview. Its only permission is to write text to the clipboard.
 */
export function confineContents(app: App, session: Session, defaultSession: Session, origin: string): void {
  app.on('web-contents-created', (_event, contents) => confine(contents, origin))
  // No page is loaded in the default session. If one were, it would get nothing.
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  defaultSession.setPermissionCheckHandler(() => false)
  defaultSession.setDevicePermissionHandler(() => false)
  defaultSession.on('will-download', (event) => event.preventDefault())
  const allowed = (permission: string, url: string) => permission === 'clipboard-sanitized-write' && originOf(url) === origin
  session.setPermissionRequestHandler((_contents, permission, answer, details) => answer(allowed(permission, details.requestingUrl)))
  session.setPermissionCheckHandler((_contents, permission, from) => allowed(permission, from))
  session.setDevicePermissionHandler(() => false)
  // The application writes exports; the page downloads nothing.
  session.on('will-download', (event) => event.preventDefault())
}

function confine(contents: WebContents, origin: string): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || originOf(event.url) !== origin) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
}
