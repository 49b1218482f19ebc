import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Push, Queries, QueryName } from '../../electron/bridge/contract.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import { Asker } from './asker.ts'
import { queryTables } from './query-tables.ts'

const concerns = (push: Push, name: QueryName, args: object): boolean => {
  const workspaceId = 'workspaceId' in args ? args.workspaceId : null
  if (push.workspaceId !== null && workspaceId !== null && push.workspaceId !== workspaceId) return false
  return push.tables.some((table) => queryTables[name].includes(table))
}

/**
 * A query whose answer stays true: it is asked when its arguments change and when a push names a table it reads.
 * The last answer stays on screen until the next one is here.
 */
export class LiveQuery<N extends QueryName> {
  /** The last answer; undefined until the first. */
  value = $state.raw<Queries[N]['value'] | undefined>()
  /** The arguments `value` was asked with. */
  answeredArgs = $state.raw<Queries[N]['args'] | undefined>()
  /** Why the newest ask failed, else null. `value` then still holds the last good answer. */
  error = $state.raw<AppError | null>(null)

  /** Call while a component is being made. `args` is tracked; null asks nothing and forgets the answer. */
  constructor(bridge: Bridge, name: N, args: () => Queries[N]['args'] | null) {
    const asker = new Asker(bridge, name, (answer, asked) => {
      if (answer.ok) {
        this.value = answer.value
        this.answeredArgs = asked
        this.error = null
      } else {
        this.error = answer.error
      }
    })
    const key = $derived.by(() => {
      const now = args()
      return now === null ? null : JSON.stringify(now)
    })

    $effect(() => {
      if (key === null) {
        asker.stop()
        this.value = undefined
        this.answeredArgs = undefined
        this.error = null
        return
      }
      const asked: Queries[N]['args'] = JSON.parse(key)
      asker.ask(asked)
      return bridge.onPush((push) => {
        if (concerns(push, name, asked)) asker.ask(asked)
      })
    })

    $effect(() => () => asker.stop())
  }
}
