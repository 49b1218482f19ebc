interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): void
}

const checkParentMs = 1000

/**
 * Resolves with the reason once the process should stop: SIGTERM, SIGINT, SIGHUP and, with `watchParent`,
 * when the parent goes away (its end of stdin or of the IPC channel closes, the process is handed to another parent) or says 'stop'.
 */
export const untilToldToStop = (watchParent: boolean): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    if (!watchParent) return
    const isStop = (message: unknown) => message === 'stop'

    const firstParent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === firstParent) return
      clearInterval(timer)
      resolve('the parent ended')
    }, checkParentMs)
    timer.unref()

    if (process.channel !== undefined && !process.connected) resolve('the parent closed the channel')
    process.once('disconnect', () => resolve('the parent closed the channel'))
    process.on('message', (message) => {
      if (isStop(message)) resolve('the parent said so')
    })

    // Electron's utility process has a port to its parent and no stdin of its own.
    const { parentPort } = process as { parentPort?: ParentPort }
    if (parentPort !== undefined) {
      parentPort.on('message', ({ data }) => {
        if (isStop(data)) resolve('the parent said so')
      })
      return
    }
    if (process.channel !== undefined) return
    process.stdin.once('end', () => resolve('the parent closed stdin'))
    process.stdin.once('close', () => resolve('the parent closed stdin'))
    process.stdin.once('error', () => resolve('the parent closed stdin'))
    process.stdin.resume()
  })
