import type { AppError } from '../bridge/app-error.ts'
import type { Push } from '../bridge/contract.ts'
import type { ImportProgress } from '../bridge/rows.ts'

/** Long work under way: a preview, an import, or a file of unsent changes that is applied. */
export interface Job {
  readonly signal: AbortSignal
  /** Whether it was cancelled by a lock or the end of Holdfast instead of its user: then nobody waits for its answer. */
  isInterrupted(): boolean
  report(stage: ImportProgress['stage'], done: number, total: number): void
}

/** The running jobs, by the token that the caller gave. */
export interface Jobs {
  /** Runs `work` under a token. Without a token its progress can't be read. */
  run<T>(token: string | undefined, work: (job: Job) => Promise<T>): Promise<T>
  progress(token: string): ImportProgress | null
  cancel(token: string): void
  /** Cancels all, because of a lock. */
  cancelAll(): void
  /** Cancels all, and each that begins later, because Holdfast is closing. Resolves when all have taken back what they saved. */
  end(): Promise<void>
}

export const cancelled: AppError = { kind: 'cancelled', message: 'Canceled. Nothing was changed.' }

/** `emit`: told that there is new progress, at most ten times a second. */
export function createJobs(emit: (push: Push) => void, now: () => number = () => performance.now()): Jobs {
  const running = new Set<{ token: string | undefined; abort: AbortController; isInterrupted: boolean; progress: ImportProgress }>()
  const onProgress = () => emit({ push: 'changed', workspaceId: null, tables: ['imports'] })
  let isEnding = false
  let toldAt = Number.NEGATIVE_INFINITY

  const tell = (): void => {
    if (now() - toldAt < 100) return
    toldAt = now()
    onProgress()
  }

  const allEnded = Promise.withResolvers<void>()
  const cancelAll = (): void => {
    for (const job of running) {
      job.isInterrupted = true
      job.abort.abort()
    }
  }
  const those = (token: string) => [...running].filter((job) => job.token === token)

  return {
    async run(token, work) {
      const progress: ImportProgress = { stage: 'reading', done: 0, total: 0 }
      const job = { token, abort: new AbortController(), isInterrupted: isEnding, progress }
      running.add(job)
      if (isEnding) job.abort.abort()
      try {
        return await work({
          signal: job.abort.signal,
          isInterrupted: () => job.isInterrupted,
          report(stage, done, total) {
            job.progress = { stage, done, total }
            if (token !== undefined) tell()
          },
        })
      } finally {
        running.delete(job)
        if (isEnding && running.size === 0) allEnded.resolve()
        if (token !== undefined) onProgress()
      }
    },
    progress: (token) => those(token).at(-1)?.progress ?? null,
    cancel(token) {
      for (const { abort } of those(token)) abort.abort()
    },
    cancelAll,
    async end() {
      isEnding = true
      cancelAll()
      if (running.size > 0) await allEnded.promise
    },
  }
}
