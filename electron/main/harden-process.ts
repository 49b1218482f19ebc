import type { App } from 'electron'

/**
 * The switches of Chromium that users may need: for their display, their graphics driver, their language. The other switches are for
 * developers: they open debuggers, turn checks off, redirect requests or write secrets to files.
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

/** Returns the forbidden switches in a program's arguments, as Chromium reads them: after `--` there are none. */
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
  // This feature delays all messages after a key to the next frame, even the answer to that key. Results would be drawn one frame later.
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
  // Otherwise each session would at once fetch a dictionary from a server of Google.
  app.on('session-created', (made) => {
    made.setSpellCheckerLanguages([])
    made.setSpellCheckerEnabled(false)
  })
}
