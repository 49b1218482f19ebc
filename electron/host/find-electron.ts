import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type FoundElectron =
  | { found: true; executable: string }
  /** `why` is the end of a sentence after "because". */
  | { found: false; why: string }

/** Where the executable is inside an Electron distribution. */
const inside: Readonly<Record<string, string>> = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }

/**
 * Finds the Electron to run: ELECTRON_OVERRIDE_DIST_PATH, or the one that the electron package below `root` has downloaded, or the one that
 * its installer downloads within `downloadMs`. A slower download continues until `signal` aborts, so that a later start finds it.
 */
export async function findElectron(options: {
  root: string
  platform: string
  env: Readonly<Record<string, string | undefined>>
  downloadMs: number
  signal: AbortSignal
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
  const outcome = await download(installer, options.downloadMs, options.signal)
  const after = installed(folder)
  if (after !== null) return { found: true, executable: after }
  return {
    found: false,
    why: outcome === 'slow' ? 'Electron is still being downloaded (the next start will have it)' : 'Electron could not be downloaded',
  }
}

function installed(folder: string): string | null {
  const pathFile = join(folder, 'path.txt')
  if (!existsSync(pathFile)) return null
  const executable = join(folder, 'dist', readFileSync(pathFile, 'utf8'))
  return existsSync(executable) ? executable : null
}

function download(installer: string, ms: number, signal: AbortSignal): Promise<'ended' | 'slow'> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [installer], { stdio: 'ignore', signal, windowsHide: true })
    const deadline = setTimeout(resolve, ms, 'slow')
    const end = () => {
      clearTimeout(deadline)
      resolve('ended')
    }
    child.once('error', end)
    child.once('exit', end)
  })
}
