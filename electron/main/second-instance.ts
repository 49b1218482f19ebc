import type { App } from 'electron'

/**
 * Shows the window when Holdfast is started a second time. Uses nothing of the second start's arguments, folder and data, because any
 * program of this user can send them.
 */
export function showAtSecondStart(app: Pick<App, 'on'>, show: () => void): void {
  app.on('second-instance', () => show())
}
