import { err, ok, type Result } from '../../bridge/result.ts'
import type { ServiceChild } from '../app-deps.ts'

export interface EmbeddedServiceDeps {
  startChild(extraArgs: readonly string[]): Promise<ServiceChild>
  /** In [0, 1). */
  random(): number
  now(): number
  log(level: 'info' | 'warn' | 'error', message: string, data?: Record<string, unknown>): void
  /** The child is up, gone, or could not be started. */
  onChange(): void
}

/** Keeps the embedded service of one workspace running: starts it again, after a pause, whenever it ends. */
export interface EmbeddedService {
  start(): void
  /** Starts it; how that went: the child, or why there is none. Later tries go on either way. */
  firstStart(): Promise<Result<ServiceChild, string>>
  /** The running child, or why there is none now, as a sentence. */
  state(): { child: ServiceChild } | { child: null; problem: string }
  /** Starts it again with a new API key, which the next child carries. */
  mintKey(): void
  /** Does not wait any longer before the next start. */
  wake(): void
  stop(): Promise<void>
}

const firstPauseMs = 500
const longestPauseMs = 30_000
/** A child that lived this long counts as well: its end starts counting anew. */
const wellAfterMs = 30_000

export const createEmbeddedService = (deps: EmbeddedServiceDeps): EmbeddedService => {
  let child: ServiceChild | null = null
  let problem = 'The service of this workspace is starting.'
  let failed = false
  let nextArgs: readonly string[] = []
  let stopping = false
  let running: Promise<void> | null = null
  let endPause = () => {}
  let tellFirst: (first: Result<ServiceChild, string>) => void = () => {}
  const first = new Promise<Result<ServiceChild, string>>((resolve) => {
    tellFirst = resolve
  })

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      endPause = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  /** One life of the child, from start to end; gives whether it went well. */
  const live = async (): Promise<boolean> => {
    const args = nextArgs
    const startedAt = deps.now()
    try {
      child = await deps.startChild(args)
    } catch (error) {
      failed = true
      problem = `The service of this workspace did not start: ${error instanceof Error ? error.message : 'unknown reason'} Edits are kept here meanwhile.`
      tellFirst(err(problem))
      deps.log('warn', 'The embedded service did not start')
      return false
    }
    failed = false
    if (nextArgs === args) nextArgs = []
    tellFirst(ok(child))
    const { exited } = child
    if (stopping) await child.stop()
    else deps.onChange()
    await exited
    child = null
    problem = 'The service of this workspace has ended and is being started again.'
    return deps.now() - startedAt >= wellAfterMs
  }

  const run = async (): Promise<void> => {
    for (let failures = 0; !stopping;) {
      failures = (await live()) ? 0 : failures + 1
      if (stopping) return
      deps.onChange()
      // A restart that was asked for is no failure.
      if (nextArgs.length > 0 && !failed) continue
      await pause(Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures, 10)) * (0.5 + deps.random() / 2))
    }
  }

  const start = () => {
    running ??= run()
  }

  return {
    start,
    firstStart() {
      start()
      return first
    },
    state: () => (child === null ? { child: null, problem } : { child }),
    mintKey() {
      nextArgs = ['--mint-key']
      if (child === null) endPause()
      else void child.stop()
    },
    wake: () => endPause(),
    async stop() {
      stopping = true
      endPause()
      await child?.stop()
      await running
    },
  }
}
