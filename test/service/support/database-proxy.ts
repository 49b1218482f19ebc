import { connect, createServer } from 'node:net'
import type { AddressInfo } from 'node:net'

export interface DatabaseProxy {
  /** The URL of the database by way of the proxy. */
  url: string
  /** Lets the next commit through, and resets its connection when PostgreSQL says that it has committed. */
  resetNextCommit(): void
  close(): void
}

/** Stands between a service and its PostgreSQL. */
export const startDatabaseProxy = async (databaseUrl: string): Promise<DatabaseProxy> => {
  const upstream = new URL(databaseUrl)
  let mayReset = false
  const server = createServer((near) => {
    const far = connect(Number(upstream.port), upstream.hostname)
    let isCommitting = false
    let held = Buffer.alloc(0)
    near.on('data', (bytes) => {
      if (mayReset && bytes.includes('commit')) {
        mayReset = false
        isCommitting = true
      }
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (!isCommitting) return void near.write(bytes)
      held = Buffer.concat([held, bytes])
      if (held.includes('COMMIT\0')) near.resetAndDestroy()
    })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: Object.assign(new URL(databaseUrl), { port: String((server.address() as AddressInfo).port) }).href,
    resetNextCommit: () => void (mayReset = true),
    close: () => void server.close(),
  }
}
