import { toasts } from './toasts.svelte.ts'

/** What the user may do in the open workspace, as far as the service says. */
class Access {
  /** The service lets the user change nothing. */
  isViewOnly = $state(false)
  /** The workspace is kept on this computer: whatever is done in it, its user does. Nobody is named there. */
  isAlone = $state(false)

  /** Whether edits may begin; if not, a toast says why. */
  mayEdit(): boolean {
    if (this.isViewOnly) toasts.say(viewOnlyWords)
    return !this.isViewOnly
  }

  /** Makes a function that does nothing but say why while edits may not begin. */
  guard<A extends unknown[]>(edit: (...args: A) => void): (...args: A) => void {
    return (...args) => {
      if (this.mayEdit()) edit(...args)
    }
  }
}

export const viewOnlyWords = 'You can only view this workspace. Ask an owner or admin to make you an editor.'

export const access = new Access()
