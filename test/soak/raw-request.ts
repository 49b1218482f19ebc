import { connect } from 'node:net'

/**
 * Writes exactly these bytes to a port of this computer and gives the beginning of what comes back, '' for nothing. The connection is cut after
 * `ms`, however far it is.
 */
export const rawRequest = (url: string, chunks: readonly (string | Uint8Array)[], ms: number): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(end, ms)
    socket.on('data', (chunk: Buffer) => {
      if (answer.length < 4096) answer += chunk.toString('latin1')
    })
    socket.on('error', end)
    socket.on('close', end)
    for (const chunk of chunks) socket.write(chunk)
  })

export const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
