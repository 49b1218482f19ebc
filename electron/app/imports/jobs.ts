import type { AppError } from '../../bridge/app-error.ts'
import type { ImportProgress } from '../../bridge/rows.ts'

/** A preview or an import under way. */
export interface Job {
  readonly signal: AbortSignal
  report(stage: ImportProgress['stage'], done: number, total: number): void
}

/** The running jobs, by the token that the caller gave. */
export interface Jobs {
  /** Runs `work` under a token. Without a token its progress can't be read. */
  run<T>(token: string | undefined, work: (job: Job) => Promise<T>): Promise<T>
  progress(token: string): ImportProgress | null
  cancel(token: string): void
}

export const cancelled: AppError = { kind: 'cancelled', message: 'Canceled. Nothing was changed.' }

/** `onProgress`: called when there is new progress, at most ten times a second. */
export function createJobs(onProgress: () => void, now: () => number = () => performance.now()): Jobs {
  const running = new Map<string, Set<{ abort: AbortController; progress: ImportProgress }>>()
  let toldAt = Number.NEGATIVE_INFINITY

  const tell = (): void => {
    if (now() - toldAt < 100) return
    toldAt = now()
    onProgress()
  }

  return {
    async run(token, work) {
      const abort = new AbortController()
      if (token === undefined) return work({ signal: abort.signal, report: () => undefined })
      const entry = { abort, progress: { stage: 'reading', done: 0, total: 0 } as ImportProgress }
      const siblings = running.get(token) ?? new Set()
      running.set(token, siblings.add(entry))
      try {
        return await work({
          signal: abort.signal,
          report(stage, done, total) {
            entry.progress = { stage, done, total }
            tell()
          },
        })
      } finally {
        siblings.delete(entry)
        if (siblings.size === 0) running.delete(token)
        onProgress()
      }
    },
    progress: (token) => [...(running.get(token) ?? [])].at(-1)?.progress ?? null,
    cancel(token) {
      for (const { abort } of running.get(token) ?? []) abort.abort()
    },
  }
}
