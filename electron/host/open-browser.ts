import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** As long as a slow browser may take to read the page that leads on. */
const keptMs = 60_000

/** Opens `url` in the user's browser where there is one to be seen. Never fails: the address is in the terminal too. */
export function openBrowser(url: string, platform: string, env: Readonly<Record<string, string | undefined>>): void {
  const command = browserCommand(platform, env)
  if (!command) return
  try {
    const target = command.takesFile ? leadOn(url) : url
    const child = spawn(command.file, [target], { stdio: 'ignore', detached: true, windowsHide: true })
    child.on('error', () => {})
    child.unref()
  } catch {
    // Nowhere to write a page: the user takes the address from the terminal.
  }
}

/**
 * What opens an address, or null where a browser would have no screen: then xdg-open starts one in the terminal. `takesFile`: every user
 * of this computer can read what programs are started with, and the address lets in; there a page is opened that only this user can read.
 */
export function browserCommand(
  platform: string,
  env: Readonly<Record<string, string | undefined>>,
): { file: string; takesFile: boolean } | null {
  if (platform === 'darwin') return { file: 'open', takesFile: true }
  if (platform === 'win32') return { file: 'explorer.exe', takesFile: false }
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? { file: 'xdg-open', takesFile: true } : null
}

/** Writes a page that leads on to `url` and only this user can read; it is gone after a minute, or when this process ends. */
export function leadOn(url: string): string {
  // A browser in a snap sees no other folder of the system's, and no hidden one of the user's.
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
