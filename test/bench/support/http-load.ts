import { connect } from 'node:net'

export interface Load {
  /** Answers a second. */
  perSecond: number
  /** Milliseconds that 99 of 100 answers took at most. */
  p99: number
}

/** The bytes of one HTTP/1.1 request. */
export const requestBytes = (url: string, method: string, path: string, headers: Record<string, string>, body?: string): Buffer => {
  const { host } = new URL(url)
  const all = {
    host,
    ...headers,
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

const headEnd = Buffer.from('\r\n\r\n')

/**
 * Sends the requests that `next` gives over a few kept-alive connections, one at a time on each, until `next` gives null. The
 * client does as little as it can, so that the server is what is measured. An answer that is not 200 is an error.
 */
export const load = async (url: string, connections: number, next: () => Buffer | null): Promise<Load> => {
  const { hostname, port } = new URL(url)
  const times: number[] = []
  const begin = performance.now()
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let head: Buffer | null = null
      let missing = 0
      let sent = 0
      const send = () => {
        const request = next()
        if (request === null) {
          socket.end()
          resolve()
          return
        }
        sent = performance.now()
        socket.write(request)
      }
      const finish = () => {
        times.push(performance.now() - sent)
        head = null
        send()
      }
      socket.once('error', reject)
      socket.once('connect', send)
      socket.on('data', (chunk) => {
        if (missing > 0) {
          missing -= chunk.length
          if (missing === 0) finish()
          return
        }
        head = head === null ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf(headEnd)
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        const length = /content-length: (\d+)/i.exec(text)?.[1]
        if (!text.startsWith('HTTP/1.1 200') || length === undefined) {
          reject(new Error(`not an answer to measure: ${head.toString('utf8').slice(0, 500)}`))
          socket.destroy()
          return
        }
        missing = Number(length) - (head.length - end - headEnd.length)
        if (missing === 0) finish()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  const seconds = (performance.now() - begin) / 1000
  times.sort((a, b) => a - b)
  return { perSecond: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}
