import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import type { Socket } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { exitMessage } from '../../../service/cli/exit-message.ts'
import { openPostgres } from '../../../service/store/open-postgres.ts'

afterEach(() => vi.unstubAllEnvs())

/** A message of PostgreSQL about authentication (its protocol, 55.7). */
const authentication = (kind: number, text: string): Buffer => {
  const head = Buffer.from([0x52, 0, 0, 0, 0, 0, 0, 0, kind])
  head.writeUInt32BE(8 + text.length, 1)
  return Buffer.concat([head, Buffer.from(text)])
}

test('a PostgreSQL that wants a password which the URL doesn’t have is said so, and no connection stays open', async () => {
  for (const name of ['PGPASSWORD', 'PGPASSFILE']) vi.stubEnv(name, undefined)
  vi.stubEnv('HOME', '/nowhere')
  const connected = Promise.withResolvers<Socket>()
  const server = createServer((socket) => {
    connected.resolve(socket)
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(authentication(10, 'SCRAM-SHA-256\0\0'))
      socket.once('data', (first) => {
        const nonce = /r=([^,\0]+)/.exec(first.toString('latin1'))?.[1] ?? ''
        socket.write(authentication(11, `r=${nonce}more,s=c2FsdA==,i=4096`))
      })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const error: unknown = await openPostgres(`postgres://holdfast@127.0.0.1:${port}/holdfast`).catch((thrown: unknown) => thrown)
  expect(exitMessage(error)).toBe('PostgreSQL wants a password. Put it into the database URL, or set PGPASSWORD.')
  const socket = await connected.promise
  if (!socket.closed) await once(socket, 'close')
  server.close()
})

test.each([
  [new Error('The server does not support SSL connections'), 'PostgreSQL doesn’t offer TLS, which sslmode asks for.'],
  [Object.assign(new Error(), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'PostgreSQL’s certificate isn’t trusted.'],
  [new Error('timeout expired'), 'PostgreSQL does not answer'],
  [new Error('Connection terminated unexpectedly'), 'PostgreSQL does not answer'],
  [Object.assign(new Error(), { code: 'EHOSTUNREACH' }), 'PostgreSQL does not answer'],
])('%s', (error, says) => {
  expect(exitMessage(error)).toContain(says)
})
