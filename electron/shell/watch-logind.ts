import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface LogindOptions {
  /** The full path of gdbus. */
  tool: string
  /** The whole environment of gdbus: no variable with which Holdfast was started may name another bus. */
  env: Record<string, string>
  /** The session of this process; if undefined, every session counts as its own. */
  session: string | undefined
}

/**
 * Calls `onLock` when logind of a Linux system says that the computer goes to sleep, or that this session's screen is locked. Does nothing
 * without logind or gdbus, or if the screen lock does not tell logind. Returns a function that ends it.
 */
export function watchLogind(onLock: () => void, options: Partial<LogindOptions> = {}): () => void {
  const { tool = '/usr/bin/gdbus', env = {}, session = process.env['XDG_SESSION_ID'] } = options
  const child = spawn(tool, ['monitor', '--system', '--dest', 'org.freedesktop.login1'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  child.on('error', () => {})
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (isLock(line, session)) onLock()
  })
  const stop = () => {
    process.off('exit', stop)
    child.kill()
  }
  process.once('exit', stop)
  return stop
}

const manager = '/org/freedesktop/login1'

/** Whether a line of `gdbus monitor` reports sleep, or a lock of this session. A line is `path: interface.member (arguments)`. */
function isLock(line: string, session: string | undefined): boolean {
  if (line.startsWith(`${manager}: org.freedesktop.login1.Manager.PrepareForSleep (true`)) return true
  const sessions = `${manager}/session/`
  if (!line.startsWith(session === undefined ? sessions : `${sessions}${asPath(session)}: `)) return false
  return line.includes(': org.freedesktop.login1.Session.Lock ()') || /PropertiesChanged \(.*'LockedHint': <true>/.test(line)
}

/**
 * A session's id as logind writes it into a path: `_` and two hexadecimal digits for each character that is neither letter nor digit, and
 * for a digit in front.
 */
const asPath = (id: string): string =>
  id.replaceAll(/^\d|[^A-Za-z0-9]/g, (letter) => `_${letter.charCodeAt(0).toString(16).padStart(2, '0')}`)
