import { spawnSync } from 'node:child_process'
import { findElectron } from './find-electron.ts'
import { findOnPath } from './find-on-path.ts'

/** Null where Electron can run its windows; otherwise why not, as the end of a sentence after "because". */
export async function electronProblem(): Promise<string | null> {
  const electron = await findElectron()
  if (!electron.found) return electron.why
  // As Node it needs no display, and yet every library that it is linked with.
  const { status, stderr } = spawnSync(electron.executable, ['-e', '0'], {
    encoding: 'utf8',
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    timeout: 120_000,
  })
  if (status !== 0) return `it does not start here (${stderr.trim().split('\n').at(-1) ?? 'it says nothing'})`
  const { DISPLAY = '', WAYLAND_DISPLAY = '' } = process.env
  const hasDisplay = process.platform !== 'linux' || DISPLAY !== '' || WAYLAND_DISPLAY !== '' || findOnPath('Xvfb') !== null
  return hasDisplay ? null : 'there is neither a display nor Xvfb (Debian: apt-get install xvfb)'
}
