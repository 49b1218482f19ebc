import { spawn } from 'node:child_process'
import path from 'node:path'

const bin = path.resolve(import.meta.dirname, '../../node_modules/.bin')

export interface CommandOutcome {
  /** The exit code; null when a signal or the deadline ended it. */
  code: number | null
  seconds: number
  /** Set when the deadline ended it. */
  timedOut: boolean
  /** What it printed, where that was held back. */
  output: string
}

/**
 * Runs a command with its output streamed to ours, or held back with `isHeld`. The tools of this project come first on its
 * path, so that `node` is the project's own Node. At `deadlineSeconds` it and its children are ended.
 */
export function runCommand(
  command: string,
  args: readonly string[],
  options: { env?: Readonly<Record<string, string>>; deadlineSeconds: number; isHeld?: boolean },
): Promise<CommandOutcome> {
  const start = performance.now()
  const onWindows = process.platform === 'win32'
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: options.isHeld === true ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...options.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
      shell: onWindows,
      // A group of its own, so that the deadline also ends what the command started.
      detached: !onWindows,
    })
    let timedOut = false
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text))
    const end = (signal: NodeJS.Signals) => {
      if (child.pid === undefined) return
      try {
        if (onWindows) child.kill(signal)
        else process.kill(-child.pid, signal)
      } catch {
        // It had ended already.
      }
    }
    const timer = setTimeout(() => {
      timedOut = true
      end('SIGTERM')
      setTimeout(() => end('SIGKILL'), 5000).unref()
    }, options.deadlineSeconds * 1000)
    const interrupt = () => end('SIGINT')
    process.once('SIGINT', interrupt)
    process.once('SIGTERM', interrupt)
    const settle = (code: number | null) => {
      clearTimeout(timer)
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', interrupt)
      resolve({ code, seconds: (performance.now() - start) / 1000, timedOut, output })
    }
    child.once('error', (error) => {
      output += `${command}: ${error.message}\n`
      if (options.isHeld !== true) process.stderr.write(output)
      settle(null)
    })
    child.once('close', (code) => settle(timedOut ? null : code))
  })
}
