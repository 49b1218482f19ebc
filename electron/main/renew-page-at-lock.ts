import type { WebContents } from 'electron'
import type { Application } from '../bridge/bridge.ts'
import type { Result } from '../bridge/result.ts'
import type { AppStatus } from '../bridge/rows.ts'

/** This page belongs to no site, so Chromium shows it in another process than our page. */
const nowhere = 'data:text/html,'

/**
 * Loads the page in a new process after each lock. The page reloads itself at a lock, but in its old process: freed values or a passphrase
 * would stay in the memory of that process.
 */
export function renewPageAtLock(application: Application, contents: WebContents, url: string): void {
  let wasOpen = false
  let isDue = false
  const look = async () => {
    const status = (await application.query('app.status', {})) as Result<AppStatus>
    if (!status.ok) return
    const isOpen = status.value.keys.state === 'ready'
    isDue = !isOpen && (isDue || wasOpen)
    wasOpen = isOpen
  }
  const stop = application.onPush(({ tables }) => tables.includes('app') && void look())
  contents.on('destroyed', stop)
  // The promise also rejects if a load is replaced by the next one. Only the event tells which page is loaded.
  const load = (address: string) => void contents.loadURL(address).catch(() => undefined)
  contents.on('did-navigate', (_event, address) => {
    if (address === nowhere) load(url)
    else if (isDue) {
      // The page has let go of the clipboard and loaded itself anew.
      isDue = false
      load(nowhere)
    }
  })
  void look()
}
