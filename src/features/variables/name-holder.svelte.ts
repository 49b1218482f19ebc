import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { cameSinceWords } from '../../domain/changed-since-words.ts'
import { clock } from '../../lib/clock.svelte.ts'
import { LiveQuery } from '../../lib/live-query.svelte.ts'
import { Noticed } from '../../lib/noticed.svelte.ts'

interface Ports {
  bridge: Bridge
  workspaceId: string
  environmentId: string
  /** The name as typed, without spaces around it. */
  name: () => string
}

/**
 * The variable that already has the name of a new one. It matters whether that was so when the name was typed, or whether others created it
 * meanwhile: then the user is shown theirs, and may replace its value. Create it while a component is created.
 */
export class NameHolder {
  readonly #ports: Ports
  readonly #taken: LiveQuery<'variables.is-taken'>
  readonly #came: LiveQuery<'variables.show'>
  readonly #noticed: Noticed<string>
  /** The last name that was free when typed: a variable that has it now was created meanwhile. */
  #freeName = $state<string | null>(null)

  constructor(ports: Ports) {
    this.#ports = ports
    const { bridge, workspaceId, environmentId, name } = ports
    this.#taken = new LiveQuery(bridge, 'variables.is-taken', () =>
      name() === '' ? null : { workspaceId, environmentId, name: name(), exceptId: null },
    )
    $effect(() => {
      if (this.#taken.value?.by === null) this.#freeName = this.#taken.answeredArgs?.name ?? null
    })
    this.#came = new LiveQuery(bridge, 'variables.show', () =>
      this.#id !== null && this.#freeName === name() ? { workspaceId, id: this.#id, reveal: false } : null,
    )
    this.#noticed = new Noticed(() => this.#shown)
  }

  get #id(): string | null {
    return this.#taken.answeredArgs?.name === this.#ports.name() ? (this.#taken.value?.by ?? null) : null
  }

  /** Names the state of their variable that is shown. */
  get #shown(): string | undefined {
    return this.#came.value ? `${this.#id} ${this.#came.value.rev}` : undefined
  }

  /** Whether the name is that of a secret. */
  get looksSecret(): boolean {
    return this.#taken.value?.looksSecret ?? false
  }

  get isTaken(): boolean {
    return this.#id !== null
  }

  /** What others created under this name meanwhile, as shown; null: nothing. */
  get theirs(): { id: string; name: string; rev: number } | null {
    const { value } = this.#came
    return this.#id === null || !value ? null : { id: this.#id, name: value.name, rev: value.rev }
  }

  /** The words about it; null: there is nothing to say. */
  get since(): ReturnType<typeof cameSinceWords> | null {
    const { value } = this.#came
    return value ? cameSinceWords(value, 'Replace its value with yours, or choose another name.', clock.now) : null
  }

  /** The user has had the time to see it as it is now. */
  get isNoticed(): boolean {
    return this.#noticed.value === this.#shown
  }

  /** Call when the user takes the name: it then belongs to their own variable. */
  forget(): void {
    this.#freeName = null
  }
}
