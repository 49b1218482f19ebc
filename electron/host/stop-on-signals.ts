const closeMs = 10_000

/**
 * Runs `close` on the first SIGINT, SIGTERM or SIGHUP, then ends the process with 0. If `close` fails or takes longer than ten seconds,
 * ends it with 1. Some starters deliver one Ctrl-C twice, so a signal within a second is ignored. A later one is a user who does not want
 * to wait: it ends the process at once.
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
