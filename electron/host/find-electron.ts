import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export type FoundElectron =
  | { found: true; executable: string }
  /** `why` is the end of a sentence after "because". */
  | { found: false; why: string }

/** Where the executable is inside an Electron distribution. */
const inside: Readonly<Record<string, string>> = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

/**
 * Finds the Electron to run: ELECTRON_OVERRIDE_DIST_PATH, or the one that the electron package below `root` has downloaded, or the one that
 * its installer downloads within `downloadMs`. A slower download continues until `signal` aborts, so that a later start finds it; `tell` gets
 * a sentence at its end.
 */
export async function findElectron(options: {
  root: string
  platform: string
  env: Readonly<Record<string, string | undefined>>
  downloadMs: number
  signal: AbortSignal
  tell: (sentence: string) => void
}): Promise<FoundElectron> {
  const override = options.env['ELECTRON_OVERRIDE_DIST_PATH']
  if (override) {
    const executable = join(override, inside[options.platform] ?? 'electron')
    if (existsSync(executable)) return { found: true, executable }
    return { found: false, why: `ELECTRON_OVERRIDE_DIST_PATH names a folder without ${executable}` }
  }
  const folder = join(options.root, 'node_modules/electron')
  const installer = join(folder, 'install.js')
  if (!existsSync(installer)) return { found: false, why: 'Electron is not installed' }
  const before = installed(folder)
  if (before !== null) return { found: true, executable: before }
  const ended = download(installer, options.signal)
  const isSlow = await Promise.race([ended.then(() => false), sleep(options.downloadMs, true, { ref: false })])
  const after = installed(folder)
  if (after !== null) return { found: true, executable: after }
  if (!isSlow) return { found: false, why: 'Electron could not be downloaded' }
  void ended.then(() => {
    if (options.signal.aborted) return
    const isThere = installed(folder) !== null
    options.tell(isThere ? 'Electron is downloaded: the next start opens a window.' : 'Electron could not be downloaded.')
  })
  return { found: false, why: 'Electron is still being downloaded (keep Holdfast running until this is done)' }
}

function installed(folder: string): string | null {
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const executable = join(folder, 'dist', readFileSync(pathFile, 'utf8'))
  return existsSync(executable) ? executable : null
}

/** Resolves when the installer has ended, well or not. */
function download(installer: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [installer], { stdio: 'ignore', signal, windowsHide: true })
    child.once('error', () => resolve())
    child.once('exit', () => resolve())
  })
}
