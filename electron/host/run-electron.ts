import { spawn } from 'node:child_process'
import type { ElectronEnd } from './why-no-window.ts'

const tailLimitCharacters = 8000

/**
 * Runs Electron to its end. It writes to our stdout. `onStderr` gets its stderr, and the result has the end of it. A signal to this process
 * is passed to Electron once, which then closes the application and ends. Another signal after a second ends it at once.
 */
export function runElectron(executable: string, args: readonly string[], onStderr: (text: string) => void): Promise<ElectronEnd> {
  const startedAt = Date.now()
  // Electron gets a process group of its own. Otherwise the terminal's Ctrl-C would reach it twice, and it would end at once.
  const child = spawn(executable, args, { stdio: ['ignore', 'inherit', 'pipe'], detached: process.platform !== 'win32' })
  let stderr = ''
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString()).slice(-tailLimitCharacters)
    onStderr(chunk.toString())
  })

  let since: number | null = null
  const passOn = (signal: NodeJS.Signals) => {
    if (since === null) child.kill(signal)
    else if (Date.now() - since > 1000) child.kill('SIGKILL')
    since ??= Date.now()
  }
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, passOn)

  return new Promise((resolve) => {
    const end = (how: Pick<ElectronEnd, 'code' | 'signal' | 'spawnError'>) => {
      for (const signal of signals) process.off(signal, passOn)
      resolve({ ...how, stderr, afterMs: Date.now() - startedAt })
    }
    child.once('error', (error: NodeJS.ErrnoException) => end({ code: null, signal: null, spawnError: error.code ?? error.message }))
    child.once('close', (code, signal) => end({ code, signal, spawnError: null }))
  })
}
