import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { ServiceChild } from '../app/app-deps.ts'
import { awaitAnnouncement } from '../shell/await-announcement.ts'
import { serviceEnvironment } from '../shell/service-environment.ts'

export interface ServiceChildLimits {
  startMs: number
  stopMs: number
}

/**
 * Starts the service at `entry` under this Node with its data in `dir`, on a loopback port of its choice. The child
 * watches its stdin, which ends with this process, however that ends.
 * Rejects with an Error whose message says why, and leaves no process behind.
 */
export async function startServiceChild(
  entry: string,
  dir: string,
  extraArgs: readonly string[],
  limits: ServiceChildLimits = { startMs: 20_000, stopMs: 5_000 },
): Promise<ServiceChild> {
  if (!existsSync(entry)) throw new Error(`The service is not there: ${entry} does not exist.`)
  const child = spawn(process.execPath, [entry, '--port', '0', '--data', dir, '--parent-watch', ...extraArgs], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: serviceEnvironment(process.env),
    windowsHide: true,
  })
  const ended = new Promise<string>((resolve) => {
    // Not 'exit': its last words may still be in the pipe then.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`))
    child.once('error', (error) => resolve(error.message))
  })
  const exited = ended.then(() => undefined)
  // A child that ended took its end of the pipe along.
  child.stdin.on('error', () => {})
  const stop = async () => {
    child.stdin.end()
    child.kill('SIGTERM')
    const deadline = setTimeout(() => child.kill('SIGKILL'), limits.stopMs)
    await exited
    clearTimeout(deadline)
  }
  try {
    const announcement = await awaitAnnouncement({ stdout: child.stdout, stderr: child.stderr, ended }, limits.startMs)
    return { ...announcement, exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
