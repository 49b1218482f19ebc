import type { App } from 'electron'

/** Switches that open a shipped application to whoever can start it with arguments. */
const doors = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'js-flags',
  'disable-web-security',
  'load-extension',
  'proxy-server',
  'proxy-pac-url',
  'host-rules',
  'host-resolver-rules',
  'ignore-certificate-errors',
  'ignore-certificate-errors-spki-list',
  'log-net-log',
  'enable-logging',
]

/**
 * Must run before Electron is ready. Keeps Chromium from writing to disk what the page has seen (caches, autofill, dictionaries),
 * keeps it from asking anybody anything of its own accord, and shuts the debugging doors of a shipped application. The crash reporter is never started.
 */
export function hardenProcess(app: App, isShipped: boolean): void {
  for (const name of ['disable-http-cache', 'disable-gpu-shader-disk-cache', 'disable-breakpad']) app.commandLine.appendSwitch(name)
  app.commandLine.appendSwitch('disk-cache-size', '1')
  app.commandLine.appendSwitch('disable-features', 'AutofillServerCommunication,SpareRendererForSitePerProcess')
  // Each session would fetch a dictionary from a server of Google's as soon as it is made.
  app.on('session-created', (made) => {
    made.setSpellCheckerLanguages([])
    made.setSpellCheckerEnabled(false)
  })
  if (isShipped) for (const door of doors) app.commandLine.removeSwitch(door)
}
