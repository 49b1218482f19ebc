import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { Queries, QueryName } from '../../electron/bridge/contract.ts'
import type { Result } from '../../electron/bridge/result.ts'

/**
 * Runs one query again and again, and passes on only answers that are still needed.
 *
 * - A query with the same arguments never runs twice at once: a request meanwhile runs it once more afterwards.
 * - Other arguments run at once; the answer to the earlier ones is dropped.
 * - After `stop` nothing is passed on.
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

  /** Ignores all answers from now on. */
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
