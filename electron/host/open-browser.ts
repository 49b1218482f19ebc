import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** How long a slow browser may take to read the page that redirects. */
const keptMs = 60_000

/** Opens `url` in the user's browser, if one can be seen. Never fails: the address is in the terminal too. */
export function openBrowser(url: string, platform: string, env: Readonly<Record<string, string | undefined>>): void {
  const command = browserCommand(platform, env)
  if (!command) return
  try {
    const target = command.takesFile ? leadOn(url) : url
    const child = spawn(command.file, [target], { stdio: 'ignore', detached: true, windowsHide: true })
    child.on('error', () => {})
    child.unref()
  } catch {
    // The page could not be written. The user finds the address in the terminal.
  }
}

/**
 * Returns the program that opens an address; null if a browser would have no screen, because xdg-open would then start one in the terminal.
 * `takesFile`: the program must get a page that only this user can read. Every user of this computer can read the arguments of programs,
 * and the address lets a browser in.
 */
export function browserCommand(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): { file: string; takesFile: boolean } | null {
  if (platform === 'darwin') return { file: 'open', takesFile: true }
  if (platform === 'win32') return { file: 'explorer.exe', takesFile: false }
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { file: 'xdg-open', takesFile: true } : null
}

/** Writes a page that redirects to `url` and that only this user can read. It is deleted after a minute, or when this process ends. */
export function leadOn(url: string): string {
  // A browser in a snap sees no other folder of the system, and no hidden folder of the user.
  const folder = mkdtempSync(join(existsSync('/snap') ? homedir() : tmpdir(), 'holdfast-open-'))
  const page = join(folder, 'holdfast.html')
  const safe = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
  const text = `<!doctype html><meta charset="utf-8"><title>Holdfast</title><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0; url=${safe}"><a href="${safe}">Open Holdfast</a>\n`
  writeFileSync(page, text, { mode: 0o600, flag: 'wx' })
  const remove = () => rmSync(folder, { recursive: true, force: true })
  setTimeout(remove, keptMs).unref()
  process.once('exit', remove)
  return page
}
