import type { CommandName } from '../../electron/bridge/contract.ts'
import type { SyncStatus } from '../../electron/bridge/rows.ts'
import { toasts } from './toasts.svelte.ts'

type Known = Pick<SyncStatus, 'isViewOnly' | 'refusals' | 'keepsDeleted'>

interface RefusedAttributes {
  'aria-disabled'?: true
  'aria-description'?: string
  'data-tip'?: string
  'data-tip-keys'?: undefined
}

/**
 * The attributes of an element that does nothing, with the reason. It isn't `disabled`: the keyboard would skip it, and its reason with it.
 */
export const refusedWith = (reason: string): RefusedAttributes => ({
  'aria-disabled': true,
  'aria-description': reason,
  'data-tip': reason,
  'data-tip-keys': undefined,
})

const nothing: Known = { isViewOnly: false, refusals: {}, keepsDeleted: false }

/**
 * What the user may do in the open workspace, as far as the service says. Each action is known by the command that it runs: the application
 * would refuse the same ones.
 */
class Access {
  #known = $state.raw(nothing)
  /** The workspace exists only on this computer: its user makes every change, so no names are shown. */
  isAlone = $state(false)

  /** Takes what the application knows; null: no workspace is open. */
  learn(known: Known | null): void {
    this.#known = known ?? nothing
  }

  /** The service lets the user change nothing. */
  get isViewOnly(): boolean {
    return this.#known.isViewOnly
  }

  /** Whether the user may have the service restore a deleted row of this kind. */
  mayRestore(subject: 'project' | 'environment'): boolean {
    return this.#known.keepsDeleted && this.may(`${subject}s.delete`)
  }

  /** Why a command would be refused, in one sentence; null: it may be run. */
  refusal(command: CommandName | undefined): string | null {
    return command === undefined ? null : (this.#known.refusals[command] ?? null)
  }

  may(command: CommandName | undefined): boolean {
    return this.refusal(command) === null
  }

  /**
   * The attributes of an element that leads to a refused command: it looks disabled and says why. None while the command may be run.
   */
  refused(command: CommandName | undefined): RefusedAttributes {
    const refusal = this.refusal(command)
    return refusal === null ? {} : refusedWith(refusal)
  }

  /** Whether an action may begin that ends with this command; if not, a toast says why. */
  mayBegin(command: CommandName | undefined): boolean {
    const refusal = this.refusal(command)
    if (refusal !== null) toasts.say(refusal)
    return refusal === null
  }

  /** Makes a function that does nothing but say why while its command would be refused. */
  guard<A extends unknown[]>(command: CommandName, action: (...args: A) => void): (...args: A) => void {
    return (...args) => {
      if (this.mayBegin(command)) action(...args)
    }
  }
}

export const access = new Access()
