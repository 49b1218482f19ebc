import { CommandError } from './exit-message.ts'

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Runs work that ends early, and cleans up, when the process is told to stop. */
export const untilStopped = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const stopping = new AbortController()
  const stop = () => stopping.abort(new CommandError('The command was stopped before it was done. Nothing was changed.'))
  for (const signal of signals) process.once(signal, stop)
  try {
    return await work(stopping.signal)
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}
