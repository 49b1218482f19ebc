import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createSocketBridge, type SocketBridge } from '../../src/lib/socket-bridge.ts'
import { firstLine } from '../e2e/drivers/first-line.ts'
import { serviceFlags } from '../support/service-flags.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A program under attack, in a process of its own. */
export interface Child<Said> {
  /** Its first line. */
  said: Said
  pid: number
  /** All that it printed. */
  output(): string
  /** How it ended by itself; null: it runs. */
  ended(): string | null
  /** The memory that it holds now, in megabytes. Linux alone. */
  memory(): number
  stop(how?: NodeJS.Signals): Promise<void>
}

async function start<Said>(args: readonly string[]): Promise<Child<Said>> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let output = ''
  let end: string | null = null
  const ended = new Promise<void>((resolve) =>
    child.once('close', (code, signal) => {
      end = signal ?? `exit code ${code}`
      resolve()
    }),
  )
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const said = JSON.parse(await firstLine(child, 120_000)) as Said
  return {
    said,
    pid: child.pid ?? 0,
    output: () => output,
    ended: () => end,
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024,
    async stop(how = 'SIGTERM') {
      child.kill(how)
      await ended
    },
  }
}

/** The service as `npm run service` starts it, without the limit of requests that would end the attacks. */
export const startService = (folder: string) =>
  start<{ url: string; apiKey: string }>([
    ...serviceFlags,
    'service/main.ts',
    '--port',
    '0',
    '--data',
    folder,
    '--parent-watch',
    '--requests-per-minute',
    '0',
    // Room for an hour of attacks with the user's own key: a quota that they use up would refuse the user's edits, and rightly so.
    '--max-mib',
    '1024',
    '--log-level',
    'error',
  ])

export const startHost = (folder: string) =>
  start<{ url: string }>(['electron/host/main.ts', '--port', '0', '--data-dir', folder, '--no-open'])

/** The tab that the address of a host lets in. */
export async function openTab(url: string): Promise<SocketBridge> {
  const secret = /content="([\w-]+)"/.exec(await (await fetch(url)).text())?.[1] ?? ''
  const { origin, host } = new URL(url)
  const Tab = class extends WebSocket {
    constructor(to: string | URL) {
      // Node's takes headers, as a browser would send an Origin.
      super(to, { headers: { origin } } as unknown as string[])
    }
  }
  return createSocketBridge({ url: `ws://${host}/bridge`, secret, page: 'tab', WebSocket: Tab })
}
