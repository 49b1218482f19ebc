import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { firstLine } from './drivers/first-line.ts'

const run = promisify(execFile)

export interface PrivateKeyring {
  busAddress: string
  /** Unlocks a keyring that was started locked. */
  unlock(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a GNOME keyring, unlocked or not, on a D-Bus session of its own. All its files are in `folder`. Its prompt for the passphrase is
 * dismissed after `promptSeconds`.
 */
export async function startPrivateKeyring(folder: string, { locked = false, promptSeconds = 0 } = {}): Promise<PrivateKeyring> {
  const runtime = path.join(folder, 'run')
  await mkdir(runtime, { recursive: true, mode: 0o700 })
  // The folder that the bus looks into before those of the system. A program that fails counts as a prompt that was dismissed.
  const services = path.join(folder, 'share/dbus-1/services')
  await mkdir(services, { recursive: true })
  const prompter = 'org.gnome.keyring.SystemPrompter'
  await writeFile(
    path.join(services, `${prompter}.service`),
    `[D-BUS Service]\nName=${prompter}\nExec=/bin/sh -c "sleep ${promptSeconds}; exit 1"\n`,
  )
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_RUNTIME_DIR: runtime,
    XDG_DATA_HOME: path.join(folder, 'share'),
    LANG: 'C.UTF-8',
  }
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--nopidfile', '--print-address'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const busAddress = await firstLine(bus, 60_000)
  const start = async (isLocked: boolean) => {
    const child = spawn('gnome-keyring-daemon', ['--foreground', '--components=secrets', ...(isLocked ? [] : ['--unlock'])], {
      env: { ...env, DBUS_SESSION_BUS_ADDRESS: busAddress },
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    child.stdin.end(isLocked ? '' : 'passphrase of the keyring')
    await untilOwned(busAddress, 'org.freedesktop.secrets')
    return child
  }
  let keyring = await start(locked)
  return {
    busAddress,
    unlock: async () => {
      // The only way without a window that asks: another daemon in its place, on the same bus.
      await end(keyring)
      keyring = await start(false)
    },
    stop: async () => {
      for (const child of [keyring, bus]) await end(child)
    },
  }
}

/** Waits until somebody answers for `name` on a bus: who asks before finds no keychain there. */
async function untilOwned(busAddress: string, name: string): Promise<void> {
  const bus = 'org.freedesktop.DBus'
  const args = [`--bus=${busAddress}`, '--print-reply', `--dest=${bus}`, '/org/freedesktop/DBus', `${bus}.NameHasOwner`, `string:${name}`]
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const { stdout } = await run('dbus-send', args)
    if (stdout.includes('boolean true')) return
  }
  throw new Error(`Nobody answers for ${name}.`)
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
