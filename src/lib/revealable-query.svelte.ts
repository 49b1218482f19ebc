import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Queries, QueryName } from '../../electron/bridge/contract.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import { hideOnBlur } from './hide-on-blur.svelte.ts'
import { LiveQuery } from './live-query.svelte.ts'

/**
 * A live query whose answer has masked values until `isRevealed`, which ends when the window loses the focus. Revealed values have a query
 * of their own: once they are hidden again they leave the screen at once, and not with the next answer. Call it while a component is being
 * made. `held`: see `LiveQuery`.
 */
export class RevealableQuery<N extends QueryName> {
  isRevealed = $state(false)
  readonly #masked: LiveQuery<N>
  readonly #revealed: LiveQuery<N>

  constructor(bridge: Bridge, name: N, args: (reveal: boolean) => Queries[N]['args'], held?: () => boolean) {
    this.#masked = new LiveQuery(bridge, name, () => args(false), held)
    this.#revealed = new LiveQuery(bridge, name, () => (this.isRevealed ? args(true) : null), held)
    hideOnBlur(() => (this.isRevealed = false))
  }

  get value(): Queries[N]['value'] | undefined {
    return this.#revealed.value ?? this.#masked.value
  }

  /** Why the values could not be read, else null. */
  get error(): AppError | null {
    return this.#revealed.error ?? this.#masked.error
  }
}
