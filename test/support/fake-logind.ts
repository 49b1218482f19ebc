import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Whether this computer has what a bus and its listener take. */
export const hasBus = ['/usr/bin/dbus-daemon', '/usr/bin/gdbus'].every((file) => existsSync(file))

export interface FakeLogind {
  /** The environment in which the bus is the one of the system. */
  env: Record<string, string>
  /** Emits a signal as logind; `body` is one value of the signature (see the D-Bus specification, "Marshaling"). */
  emit(path: string, name: string, signature?: string, body?: Buffer): void
  close(): Promise<void>
}

const padded = (bytes: Buffer, to: number): Buffer => Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
/** A text, or a path, of the D-Bus protocol. */
const text = (value: string): Buffer => Buffer.concat([uint32(Buffer.byteLength(value)), Buffer.from(`${value}\0`)])
const signatureOf = (value: string): Buffer => Buffer.from([value.length, ...Buffer.from(`${value}\0`)])

/** The bodies of what logind emits. */
export const bodies = {
  yes: uint32(1),
  no: uint32(0),
  /** PropertiesChanged: the interface, one property with a boolean, and no others. */
  property(name: string, value: boolean): Buffer {
    const entry = Buffer.concat([padded(Buffer.concat([text(name), signatureOf('b')]), 4), uint32(value ? 1 : 0)])
    const of = text('org.freedesktop.login1.Session')
    const head = padded(Buffer.concat([padded(of, 4), uint32(entry.length)]), 8)
    return Buffer.concat([padded(Buffer.concat([head, entry]), 4), uint32(0)])
  },
}

/** A bus of its own with a logind on it that says what it is told to. */
export async function startFakeLogind(): Promise<FakeLogind> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-bus-'))
  const socketPath = join(folder, 'bus')
  const address = `unix:path=${socketPath}`
  const daemon: ChildProcess = spawn('/usr/bin/dbus-daemon', ['--session', '--nofork', '--nopidfile', `--address=${address}`], {
    stdio: 'ignore',
  })
  while (!existsSync(socketPath)) await sleep(20)
  const socket: Socket = createConnection(socketPath)
  await once(socket, 'connect')
  const uid = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
  socket.write(`\0AUTH EXTERNAL ${uid}\r\n`)
  await once(socket, 'data')
  socket.write('BEGIN\r\n')
  let serial = 0
  const send = (type: 'call' | 'signal', fields: [code: number, signature: string, value: Buffer][], body: Buffer) => {
    const parts = fields.map(([code, signature, value]) => {
      const head = padded(Buffer.concat([Buffer.from([code]), signatureOf(signature)]), signature === 'g' ? 1 : 4)
      return Buffer.concat([head, value])
    })
    const all = parts.reduce((before, part) => Buffer.concat([padded(before, 8), part]), Buffer.alloc(0))
    const start = Buffer.from([0x6c, type === 'call' ? 1 : 4, 0, 1])
    socket.write(
      Buffer.concat([padded(Buffer.concat([start, uint32(body.length), uint32((serial += 1)), uint32(all.length), all]), 8), body]),
    )
  }
  const toBus = (member: string, signature: string, body: Buffer) => {
    const bus = 'org.freedesktop.DBus'
    const fields: [number, string, Buffer][] = [
      [1, 'o', text('/org/freedesktop/DBus')],
      [2, 's', text(bus)],
      [3, 's', text(member)],
      [6, 's', text(bus)],
    ]
    send('call', signature === '' ? fields : [...fields, [8, 'g', signatureOf(signature)]], body)
  }
  toBus('Hello', '', Buffer.alloc(0))
  await once(socket, 'data')
  toBus('RequestName', 'su', Buffer.concat([padded(text('org.freedesktop.login1'), 4), uint32(0)]))
  await once(socket, 'data')
  return {
    env: { DBUS_SYSTEM_BUS_ADDRESS: address },
    emit(path, name, signature = '', body = Buffer.alloc(0)) {
      const end = name.lastIndexOf('.')
      const fields: [number, string, Buffer][] = [
        [1, 'o', text(path)],
        [2, 's', text(name.slice(0, end))],
        [3, 's', text(name.slice(end + 1))],
      ]
      send('signal', signature === '' ? fields : [...fields, [8, 'g', signatureOf(signature)]], body)
    },
    async close() {
      socket.destroy()
      const ended = once(daemon, 'close')
      daemon.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
