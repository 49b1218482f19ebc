import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

export interface DatabaseProxy {
  /** The URL of the database by way of the proxy. */
  url: string
  /** Lets the next commit through, and resets its connection when PostgreSQL says that it has committed. */
  resetNextCommit(): void
  /**
   * The connections that are open say nothing any more, nor do they close; later ones work. It begins with the first query that has `from` in it.
   * `onQuery` is told of each query that gets no answer, and of the connection that it came over.
   */
  silence(onQuery: (connection: Socket) => void, from?: string): void
  close(): void
}

/** Stands between a service and its PostgreSQL. */
export const startDatabaseProxy = async (databaseUrl: string): Promise<DatabaseProxy> => {
  const upstream = new URL(databaseUrl)
  let mayReset = false
  let onQuery = (_connection: Socket) => {}
  let silentFrom: string | null = null
  const speaking = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(upstream.port), upstream.hostname)
    speaking.add(far)
    let isCommitting = false
    let held = Buffer.alloc(0)
    near.on('data', (bytes) => {
      if (silentFrom !== null && bytes.includes(silentFrom)) {
        silentFrom = null
        // What they held in the database is undone, as where its computer lost power.
        for (const one of speaking) one.destroy()
        speaking.clear()
      }
      if (!speaking.has(far)) return onQuery(near)
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
    near.on('error', () => undefined)
    far.on('error', () => undefined)
    near.on('close', () => far.destroy())
    far.on('close', () => void (speaking.has(far) && near.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: Object.assign(new URL(databaseUrl), { port: String((server.address() as AddressInfo).port) }).href,
    resetNextCommit: () => void (mayReset = true),
    silence: (tell, from = '') => {
      onQuery = tell
      silentFrom = from
    },
    close: () => void server.close(),
  }
}
