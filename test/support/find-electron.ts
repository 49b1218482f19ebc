import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

const electron = path.resolve(import.meta.dirname, '../../node_modules/electron')

export type FoundElectron = { found: true; executable: string } | { found: false; why: string }

/** Where the executable stands inside an Electron distribution. */
const inside = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' } as Record<string, string | undefined>
const executableName = inside[process.platform] ?? 'electron'

/**
 * The Electron that end-to-end tests start: ELECTRON_OVERRIDE_DIST_PATH, else the one the `electron`
 * package has downloaded, else one it can download now (its own installer, at most `seconds`).
 */
export function findElectron(seconds = 180): FoundElectron {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH
  if (override !== undefined && override !== '') {
    const executable = path.join(override, executableName)
    return existsSync(executable) ? { found: true, executable } : { found: false, why: `ELECTRON_OVERRIDE_DIST_PATH has no ${executable}.` }
  }
  const installed = () => {
    const pathFile = path.join(electron, 'path.txt')
    if (!existsSync(pathFile)) return null
    const executable = path.join(electron, 'dist', readFileSync(pathFile, 'utf8'))
    return existsSync(executable) ? executable : null
  }
  const before = installed()
  if (before !== null) return { found: true, executable: before }
  const download = spawnSync(process.execPath, [path.join(electron, 'install.js')], { timeout: seconds * 1000, encoding: 'utf8' })
  const after = installed()
  if (after !== null) return { found: true, executable: after }
  const reason =
    /^.*(?:Error|error|failed).*$/m.exec(download.stderr)?.[0]?.trim() ?? `the installer ended with ${download.status ?? download.signal}`
  return { found: false, why: `Electron is not installed and could not be downloaded: ${reason}` }
}
