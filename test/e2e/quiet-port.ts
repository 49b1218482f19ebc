import { randomInt } from 'node:crypto'
import { createServer } from 'node:http'

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })

/**
 * A free port below those that systems hand out by themselves: while what listens on it is stopped, no connection of another
 * program is given it, so that nothing listens there until it is started again. Above 10080, to which fetch refuses to connect.
 */
export async function findQuietPort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_081, 30_000)
    if (await isFree(port)) return port
  }
}
