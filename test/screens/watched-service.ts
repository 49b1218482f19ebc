import { startFaultProxy, type FaultProxy, type Pass } from '../support/fault-proxy.ts'

/** Values by name, by the slug of their environment. */
export type Contents = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Written {
  /** Who sent the request. */
  by: string
  /** The method and path. */
  request: string
  before: Contents
  after: Contents
}

export interface WatchedService {
  /** The address at which `person` reaches the service. */
  addressFor(person: string): Promise<string>
  /** The network of a person goes away, or comes back. */
  setOffline(person: string, isOffline: boolean): void
  /** What the service holds now. */
  contents(): Promise<Contents>
  close(): Promise<void>
}

/**
 * Stands between each person and the service, and tells who wrote what: requests that write pass one at a time, and `read` returns what the
 * service holds after each. The answer to a request that writes is lost if `isAnswerLost` says so.
 */
export async function watchService(
  upstream: string,
  read: () => Promise<Contents>,
  onWritten: (written: Written) => void | Promise<void>,
  isAnswerLost: () => boolean,
): Promise<WatchedService> {
  const proxies: FaultProxy[] = []
  const offline = new Set<string>()
  let current = await read()
  let turn: Promise<unknown> = Promise.resolve()

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = turn.then(work)
    turn = done.catch(() => undefined)
    return done
  }

  const watchedBy =
    (by: string): Pass =>
    (request, send) =>
      isRead(request)
        ? send()
        : inTurn(async () => {
            const answer = await send()
            const before = current
            current = await read()
            await onWritten({ by, request: `${request.method} ${request.url}`, before, after: current })
            return answer
          })

  return {
    async addressFor(person) {
      const fault = (request: { method: string }) => {
        if (offline.has(person)) return 'drop-before'
        return !isRead(request) && isAnswerLost() ? 'drop-after' : 'none'
      }
      const proxy = await startFaultProxy(upstream, fault, watchedBy(person))
      proxies.push(proxy)
      return proxy.url
    },
    setOffline(person, isOffline) {
      if (isOffline) offline.add(person)
      else offline.delete(person)
    },
    contents: () => inTurn(async () => (current = await read())),
    async close() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
    },
  }
}

const isRead = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD'
