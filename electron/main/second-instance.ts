import type { App } from 'electron'

/**
 * Shows the window when Holdfast is started a second time. Of that start's arguments, folder and data nothing is used: any program of this
 * user can send them.
 */
export function showAtSecondStart(app: Pick<App, 'on'>, show: () => void): void {
  app.on('second-instance', () => show())
}
