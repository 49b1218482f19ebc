import { ok } from '../../bridge/result.ts'
import type { Handlers } from '../handlers.ts'
import type { ClipboardWatch } from './watch-clipboard.ts'

type ClipboardHandlers = Pick<Handlers, 'clipboard.copy' | 'clipboard.hold' | 'clipboard.release'>

/** `watch`: null if the shell has no clipboard, as for a page in a browser. */
export const clipboardHandlers = (watch: ClipboardWatch | null): ClipboardHandlers => ({
  async 'clipboard.copy'({ text, seconds }) {
    return ok({ copied: (await watch?.copy(text, seconds)) ?? false })
  },
  async 'clipboard.hold'({ digest, seconds }) {
    watch?.hold(digest, seconds)
    return ok({ held: watch !== null })
  },
  async 'clipboard.release'() {
    await watch?.release()
    return ok(null)
  },
})
