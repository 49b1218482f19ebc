import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { FoundName } from '../../../electron/bridge/rows.ts'
import { Asker } from '../../lib/asker.ts'

/**
 * The names that match a text. The last answer stays until the next one arrives; the answer to an earlier query never replaces a later one.
 */
export class FoundNames {
  /** The text `names` were found by. */
  text = $state('')
  names = $state.raw<readonly FoundName[]>([])
  error = $state.raw<AppError | null>(null)
  readonly #asker: Asker<'find.search'>

  constructor(bridge: Bridge, limit: number) {
    this.#limit = limit
    this.#asker = new Asker(bridge, 'find.search', (answer, asked) => {
      this.text = asked.text
      this.error = answer.ok ? null : answer.error
      this.names = answer.ok ? answer.value : []
    })
  }

  readonly #limit: number

  /** Looks for `text`; nothing is found by an empty one. */
  look(text: string): void {
    if (text.trim() !== '') return this.#asker.ask({ text, limit: this.#limit })
    this.stop()
    this.text = text
    this.names = []
    this.error = null
  }

  /** Ignores all answers from now on. */
  stop(): void {
    this.#asker.stop()
  }
}
