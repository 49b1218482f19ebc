const closeMs = 10_000

/**
 * Runs `close` on the first SIGINT, SIGTERM or SIGHUP and ends the process with 0 after it; with 1 when it fails or takes longer than ten seconds.
 * Some starters deliver one Ctrl-C twice; a second one after a second is the user's impatience, and ends the process at once.
 */
export function stopOnSignals(close: () => Promise<void>): void {
  let since: number | null = null
  const stop = () => {
    if (since !== null) {
      if (Date.now() - since > 1000) process.exit(130)
      return
    }
    since = Date.now()
    setTimeout(() => process.exit(1), closeMs).unref()
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
}
