import type { WebContents } from 'electron'
import type { Application } from '../bridge/bridge.ts'
import type { Result } from '../bridge/result.ts'
import type { AppStatus } from '../bridge/rows.ts'

/** Belongs to no site, so that Chromium shows it in another process than the page. */
const nowhere = 'data:text/html,'

/**
 * Loads the page in a process of its own after each lock. The page loads itself anew then, but in the process it had, and what that has
 * freed (values, a passphrase) would stay in memory.
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
  // Its promise is rejected, too, when a load is given up for the next one: where the page has got to is told by the event alone.
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
