import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { openPostgres } from '../../../service/store/open-postgres.ts'
import { selfSigned } from '../../remote/self-signed.ts'

let server: Server
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())))

/** How PostgreSQL is asked for TLS (its protocol, 54.2.11), and that it answers with S or N. */
const asksForTls = Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])

/** A server in the place of PostgreSQL; `heard` is what it was told, in plain or deciphered, but for the question for TLS. */
async function inPlaceOfPostgres(answer: 'S' | 'N'): Promise<{ url: string; heard: Buffer[] }> {
  const heard: Buffer[] = []
  server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (first: Buffer) => {
      if (!first.equals(asksForTls)) heard.push(first)
      socket.write(answer)
      const told = answer === 'N' ? socket : new TLSSocket(socket, { isServer: true, secureContext: createSecureContext(selfSigned) })
      told.on('error', () => {})
      told.on('data', (data: Buffer) => heard.push(data))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `postgres://holdfast:secret@127.0.0.1:${(server.address() as AddressInfo).port}/holdfast`, heard }
}

test.each([
  ['has no TLS', 'N', /SSL/],
  ['has a certificate that nobody vouches for', 'S', /self-signed/],
] as const)('with sslmode=verify-full, a PostgreSQL that %s is told nothing, neither user nor password', async (_what, answer, why) => {
  const { url, heard } = await inPlaceOfPostgres(answer)
  await expect(openPostgres(`${url}?sslmode=verify-full`)).rejects.toThrow(why)
  expect(heard).toEqual([])
})
