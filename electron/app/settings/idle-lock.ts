import type { QueryName, Table } from '../../bridge/contract.ts'
import { queryTables } from '../../bridge/query-tables.ts'

export interface IdleLockDeps {
  /** Milliseconds since the epoch: time asleep counts as idle. */
  now(): number
  /** 0: never. */
  minutes(): number
  /** Locks the keys, if they can be unlocked again. Must not reject. */
  lock(): Promise<void>
}

/** Locks the keys after a time without activity. */
export interface IdleLock {
  /** The page ran a command. */
  acted(): void
  /** The page ran a query. A query that it repeats after a push is not activity of the user. */
  asked(name: string): void
  pushed(tables: readonly Table[]): void
  /** Checks the idle time: the setting may have changed, or the computer may have slept. */
  check(): void
  stop(): void
}

/** How long the page may take to repeat its queries after a push. */
const answerMs = 3000
/** Timers don't count sleep, and can't wait longer than 24 days. */
const longestWaitMs = 60_000

const isQuery = (name: string): name is QueryName => Object.hasOwn(queryTables, name)

export function createIdleLock(deps: IdleLockDeps): IdleLock {
  const pushedAt = new Map<Table, number>()
  let activeAt = deps.now()
  let isDone = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const check = (): void => {
    clearTimeout(timer)
    const limit = deps.minutes() * 60_000
    if (limit === 0 || isDone) return
    const left = activeAt + limit - deps.now()
    if (left <= 0) {
      isDone = true
      void deps.lock()
      return
    }
    timer = setTimeout(check, Math.min(left, longestWaitMs))
    timer.unref()
  }
  const acted = (): void => {
    activeAt = deps.now()
    if (!isDone) return
    isDone = false
    check()
  }

  check()
  return {
    acted,
    asked(name) {
      if (!isQuery(name)) return
      const latest = Math.max(...queryTables[name].map((table) => pushedAt.get(table) ?? Number.NEGATIVE_INFINITY))
      if (deps.now() - latest > answerMs) acted()
    },
    pushed(tables) {
      for (const table of tables) pushedAt.set(table, deps.now())
    },
    check,
    stop() {
      clearTimeout(timer)
      isDone = true
    },
  }
}
