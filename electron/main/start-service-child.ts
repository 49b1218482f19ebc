import type { Readable } from 'node:stream'
import { utilityProcess } from 'electron'
import type { ServiceChild } from '../app/app-deps.ts'
import { awaitAnnouncement } from '../shell/await-announcement.ts'
import { serviceEnvironment } from '../shell/service-environment.ts'

const startMs = 20_000
const stopMs = 5_000
/** Its last words may still be in the pipe when it has ended. */
const lastWordsMs = 100

/**
 * Starts the service, built as `entry`, in a utility process with its data in `dir`, on a loopback port of its choice.
 * Electron ends utility processes with the main process, however that ends.
 * Rejects with an Error whose message says why, and leaves no process behind.
 */
export async function startServiceChild(entry: string, dir: string, extraArgs: readonly string[]): Promise<ServiceChild> {
  const child = utilityProcess.fork(entry, ['--port', '0', '--data', dir, '--parent-watch', ...extraArgs], {
    serviceName: 'Holdfast service',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serviceEnvironment(process.env),
  })
  const ended = new Promise<string>((resolve) => child.once('exit', (code) => setTimeout(resolve, lastWordsMs, `exit code ${code}`)))
  const exited = ended.then(() => undefined)
  const stop = async () => {
    if (child.pid === undefined) return exited
    const { pid } = child
    // A signal would end it unheard on Windows.
    child.postMessage('stop')
    const deadline = setTimeout(() => kill(pid), stopMs)
    await exited
    clearTimeout(deadline)
  }
  if (!child.stdout || !child.stderr) throw new Error('The service has no output to read its address from.')
  try {
    const announcement = await awaitAnnouncement({ stdout: asReadable(child.stdout), stderr: asReadable(child.stderr), ended }, startMs)
    return { ...announcement, exited, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Electron's types say NodeJS.ReadableStream; what it gives is a stream.Readable. */
const asReadable = (stream: NodeJS.ReadableStream) => stream as Readable

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended in the meantime.
  }
}
