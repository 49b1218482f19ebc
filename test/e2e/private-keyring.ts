import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { firstLine } from './drivers/first-line.ts'

export interface PrivateKeyring {
  busAddress: string
  stop(): Promise<void>
}

/** A Secret Service that nobody else uses: a D-Bus session and an unlocked GNOME keyring, with everything below `folder`. */
export async function startPrivateKeyring(folder: string): Promise<PrivateKeyring> {
  const runtime = path.join(folder, 'run')
  await mkdir(runtime, { recursive: true, mode: 0o700 })
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: path.join(folder, 'share'),
    LANG: 'C.UTF-8',
  }
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const busAddress = await firstLine(bus, 10_000)
  const keyring = spawn('gnome-keyring-daemon', ['--foreground', '--unlock', '--components=secrets'], {
    env: { ...env, DBUS_SESSION_BUS_ADDRESS: busAddress },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  keyring.stdin.end('passphrase of the keyring')
  return {
    busAddress,
    stop: async () => {
      for (const child of [keyring, bus]) await end(child)
    },
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
