import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Queries, QueryName } from '../../electron/bridge/contract.ts'
import type { Result } from '../../electron/bridge/result.ts'

/**
 * Asks one query again and again, and hands on only answers that are still wanted.
 *
 * - The same arguments are never under way twice: being asked meanwhile means once more afterwards.
 * - Other arguments are asked at once; the answer to the earlier ones is dropped when it comes.
 * - After `stop` nothing is handed on.
 */
export class Asker<N extends QueryName> {
  readonly #bridge: Bridge
  readonly #name: N
  readonly #onAnswer: (answer: Result<Queries[N]['value']>, args: Queries[N]['args'], isLast: boolean) => void
  #key: string | null = null
  #underWay = false
  #again = false
  #turn = 0

  /** `isLast` is false for an answer after which the same is asked once more. */
  constructor(bridge: Bridge, name: N, onAnswer: (answer: Result<Queries[N]['value']>, args: Queries[N]['args'], isLast: boolean) => void) {
    this.#bridge = bridge
    this.#name = name
    this.#onAnswer = onAnswer
  }

  /** Asks with `args`. */
  ask(args: Queries[N]['args']): void {
    const key = JSON.stringify(args)
    if (this.#underWay && key === this.#key) {
      this.#again = true
      return
    }
    this.#key = key
    void this.#send(args)
  }

  /** Wants no answer any more. */
  stop(): void {
    this.#turn += 1
    this.#underWay = false
    this.#again = false
    this.#key = null
  }

  async #send(args: Queries[N]['args']): Promise<void> {
    const turn = ++this.#turn
    this.#underWay = true
    this.#again = false
    const answer = await this.#bridge.query(this.#name, args)
    if (turn !== this.#turn) return
    this.#underWay = false
    const again = this.#again
    this.#onAnswer(answer, args, !again)
    // The listener may have asked already.
    if (again && turn === this.#turn) void this.#send(args)
  }
}
