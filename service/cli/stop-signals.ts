const checkParentMs = 1000

/**
 * Resolves with the reason once the process should stop: SIGTERM, SIGINT, SIGHUP and, with `watchParent`,
 * when the parent goes away: its end of stdin closes, or the process is handed to another parent.
 */
export const untilToldToStop = (watchParent: boolean): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    if (!watchParent) return
    const firstParent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === firstParent) return
      clearInterval(timer)
      resolve('the parent ended')
    }, checkParentMs)
    timer.unref()
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve('the parent closed stdin'))
    process.stdin.resume()
  })
