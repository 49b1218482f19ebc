import type { App } from 'electron'
import type { AppDeps } from '../app/app-deps.ts'
import { traceOf } from '../app/trace-of.ts'
import type { Application } from '../bridge/bridge.ts'

const closeMs = 10_000

/**
 * Lets the application close (sync at a commit point, services of local workspaces stopped, databases closed) before Electron ends.
 * An application that takes longer than ten seconds is left: every change is durable before it is shown.
 */
export function closeBeforeQuit(app: App, application: Application, log: AppDeps['log']): void {
  let closing = false
  app.on('will-quit', (event) => {
    event.preventDefault()
    if (closing) return
    closing = true
    const deadline = new Promise<'late'>((resolve) => setTimeout(resolve, closeMs, 'late'))
    Promise.race([application.close(), deadline])
      .then((how) => {
        if (how === 'late') log('error', 'the application did not close in time')
        app.exit(0)
      })
      .catch((error: unknown) => {
        log('error', 'the application failed to close', traceOf(error))
        app.exit(1)
      })
  })
}
