import type { Server, Socket } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { networkOf } from './rate-limit.ts'

/** The most connections that are kept open at once, whatever is sent over them. */
export interface MostConnections {
  /** Connections over which no valid API key has come. */
  ofStrangers: number
  /** The others. */
  ofKeys: number
}

/** The open connections of a service. */
export interface Connections {
  /** Counts the connection of a request as this key's from now on, if it was a stranger's. */
  admit(request: FastifyRequest, keyId: string): void
}

/** Open connections with their holders: networks or keys. */
export interface Crowd {
  /** When there are too many, the oldest connection of the holder that has the most is cut off. */
  add(socket: Socket, holder: string): void
  /** Returns whether the connection was one of them. */
  delete(socket: Socket): boolean
}

export const createCrowd = (most: number): Crowd => {
  /** The oldest first. */
  const holders = new Map<Socket, string>()
  const largestHolder = (): string => {
    const counts = new Map<string, number>()
    for (const holder of holders.values()) counts.set(holder, (counts.get(holder) ?? 0) + 1)
    let largest = { holder: '', count: 0 }
    for (const [holder, count] of counts) if (count > largest.count) largest = { holder, count }
    return largest.holder
  }
  const cutOne = () => {
    const largest = largestHolder()
    for (const [socket, holder] of holders) {
      if (holder !== largest) continue
      holders.delete(socket)
      socket.destroy()
      return
    }
  }
  return {
    add: (socket, holder) => {
      holders.set(socket, holder)
      socket.once('close', () => holders.delete(socket))
      if (holders.size > most) cutOne()
    },
    delete: (socket) => holders.delete(socket),
  }
}

/**
 * Limits the open connections of a server. A new one is a stranger's until a request over it sends a valid key, which a client does at once.
 * A client with many connections therefore cuts off its own. It cuts off others before their first request only behind a proxy, where all
 * strangers have one address, or if it connects from as many networks as there are places.
 */
export const limitConnections = (server: Server, { ofStrangers, ofKeys }: MostConnections): Connections => {
  const strangers = createCrowd(ofStrangers)
  const keyed = createCrowd(ofKeys)
  server.on('connection', (socket) => strangers.add(socket, networkOf(socket.remoteAddress ?? '')))
  return {
    admit: ({ raw: { socket } }, keyId) => {
      if (strangers.delete(socket)) keyed.add(socket, keyId)
    },
  }
}
