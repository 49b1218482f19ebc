import type { App } from 'electron'

/**
 * Switches of Chromium that users have reasons to give to a shipped application: for their display, their graphics driver, their language. All
 * others are those of developers: they open debuggers, turn checks off, lead requests elsewhere or write what is secret to a file.
 */
const allowed = new Set([
  'data-dir',
  'no-sandbox',
  'disable-gpu',
  'disable-dev-shm-usage',
  'enable-wayland-ime',
  'force-device-scale-factor',
  'gtk-version',
  'lang',
  'ozone-platform',
  'ozone-platform-hint',
])

/** The switches in the arguments of a program that are not allowed, as Chromium reads them: after `--` there are none. */
export function foreignSwitches(args: readonly string[], platform: string): string[] {
  const end = args.indexOf('--')
  const prefix = platform === 'win32' ? /^(--|-|\/)/ : /^--?/
  return (end < 0 ? args : args.slice(0, end)).flatMap((arg) => {
    const [name = ''] = arg.replace(prefix, '').split('=')
    const known = platform === 'win32' ? name.toLowerCase() : name
    return prefix.test(arg) && known !== '' && !allowed.has(known) ? [known] : []
  })
}

/** Features of Chromium that are turned off. */
export const disabledFeatures = [
  'AutofillServerCommunication',
  'SpareRendererForSitePerProcess',
  // Delays all messages after a key until the next frame, including the answer to that key: results would be drawn one frame later.
  'DeferRendererTasksAfterInput',
].join(',')

/**
 * Must run before Electron is ready. Keeps Chromium from writing to disk what the page has seen (caches, autofill, dictionaries),
 * from sending requests of its own, and removes developer switches from a shipped application. The crash reporter is never started.
 */
export function hardenProcess(app: App, isShipped: boolean): void {
  // Before the switches of Holdfast are added.
  if (isShipped) for (const name of foreignSwitches(process.argv.slice(1), process.platform)) app.commandLine.removeSwitch(name)
  for (const name of ['disable-http-cache', 'disable-gpu-shader-disk-cache', 'disable-breakpad']) app.commandLine.appendSwitch(name)
  app.commandLine.appendSwitch('disk-cache-size', '1')
  app.commandLine.appendSwitch('disable-features', disabledFeatures)
  // Each session would fetch a dictionary from a server of Google's as soon as it is made.
  app.on('session-created', (made) => {
    made.setSpellCheckerLanguages([])
    made.setSpellCheckerEnabled(false)
  })
}
