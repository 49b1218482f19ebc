import { untrack } from 'svelte'
import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Push, Queries, QueryName } from '../../electron/bridge/contract.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import type { Result } from '../../electron/bridge/result.ts'
import { Asker } from './asker.ts'
import { onCommandAnswered } from './own-commands.ts'
import { queryTables } from '../../electron/bridge/query-tables.ts'

const concerns = (push: Push, name: QueryName, args: object): boolean => {
  const workspaceId = 'workspaceId' in args ? args.workspaceId : null
  if (push.workspaceId !== null && workspaceId !== null && push.workspaceId !== workspaceId) return false
  return push.tables.some((table) => queryTables[name].includes(table))
}

/** Shortest time between two runs that pushes cause, in milliseconds. */
const pushPause = 100

/**
 * Calls `act` at once, and again at most once per pause: a busy sync pushes a hundred times a second, faster than anyone
 * reads. The pause grows with the time that the last answer took, so that a slow query does not block the others. `hurry` ends the pause if
 * a call waits for its end.
 */
const paced = (act: () => void, cost: () => number) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = 0
  const run = () => {
    timer = undefined
    due = performance.now() + pushPause + 2 * cost()
    act()
  }
  return {
    call: () => {
      if (timer !== undefined) return
      const wait = due - performance.now()
      if (wait <= 0) run()
      else timer = setTimeout(run, wait)
    },
    hurry: () => {
      if (timer === undefined) return
      clearTimeout(timer)
      run()
    },
    stop: () => clearTimeout(timer),
  }
}

/**
 * A query whose answer is kept up to date: it runs when its arguments change and when a push names a table it reads.
 * The last answer stays on screen until the next one arrives.
 */
export class LiveQuery<N extends QueryName> {
  /** The last answer; undefined until the first. */
  value = $state.raw<Queries[N]['value'] | undefined>()
  /** The arguments of the query that `value` answers. */
  answeredArgs = $state.raw<Queries[N]['args'] | undefined>()
  /** Why the newest query failed, else null. `value` then still holds the last good answer. */
  error = $state.raw<AppError | null>(null)
  /** Whether its tables have changed since that query: another answer is on its way. */
  isBehind = $state(false)
  /** Asks again, for an answer that failed. `error` stays until the next answer. */
  askAgain: () => void = () => undefined

  /**
   * Call while a component is being made. `args` is tracked; null asks nothing and forgets the answer. While `held` is true, pushes are not
   * followed: the answer stays until it is let go.
   */
  constructor(bridge: Bridge, name: N, args: () => Queries[N]['args'] | null, held: () => boolean = () => false) {
    let missed = false
    let took = 0
    let askedAt = 0
    /** A push came after the last ask. */
    let pushed = false
    const asker = new Asker(bridge, name, (answer, asked, isLast) => {
      took = performance.now() - askedAt
      if (isLast && !pushed) this.isBehind = false
      this.#take(answer, asked)
    })
    const key = $derived.by(() => {
      const now = args()
      return now === null ? null : JSON.stringify(now)
    })

    $effect(() => {
      if (key === null) {
        asker.stop()
        this.#forget()
        return
      }
      const asked: Queries[N]['args'] = JSON.parse(key)
      const ask = () => {
        askedAt = performance.now()
        pushed = false
        asker.ask(asked)
      }
      const again = paced(ask, () => took)
      this.askAgain = again.call
      missed = false
      ask()
      const leave = bridge.onPush((push) => {
        if (!concerns(push, name, asked)) return
        pushed = true
        this.isBehind = true
        if (untrack(held)) missed = true
        else again.call()
      })
      // Users see what they did at once, however busy sync is.
      const leaveCommands = onCommandAnswered(again.hurry)
      return () => {
        leave()
        leaveCommands()
        again.stop()
        this.askAgain = () => undefined
      }
    })

    $effect(() => {
      if (held() || !missed) return
      missed = false
      this.askAgain()
    })

    $effect(() => () => asker.stop())
  }

  #take(answer: Result<Queries[N]['value']>, asked: Queries[N]['args']): void {
    this.error = answer.ok ? null : answer.error
    if (!answer.ok) return
    this.value = answer.value
    this.answeredArgs = asked
  }

  #forget(): void {
    this.value = undefined
    this.answeredArgs = undefined
    this.error = null
    this.isBehind = false
  }
}
