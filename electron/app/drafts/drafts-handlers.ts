import { ok } from '../../bridge/result.ts'
import { draftsIn, putDraft } from '../../mirror/drafts-layer.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'

/**
 * Keeps unsaved text in the workspace's database, sealed with the workspace key. It outlives a lock, which reloads the page, and the end of
 * Holdfast. It can't be read while Holdfast is locked.
 */
export const draftsHandlers = (context: AppContext): Pick<Handlers, 'drafts.keep' | 'drafts.read'> => ({
  'drafts.keep': ({ workspaceId, placeId, draft }) =>
    draft === null
      ? inSession(context, workspaceId, ({ mirror }) => {
          mirror.write((tx) => putDraft(tx, placeId, null))
          return ok(null)
        })
      : inUnlocked(context, workspaceId, ({ mirror }, cipher) => {
          const { sealed } = cipher.seal(draft)
          mirror.write((tx) => putDraft(tx, placeId, sealed))
          return ok(null)
        }),
  'drafts.read': ({ workspaceId }) =>
    inSession(context, workspaceId, async (session) => {
      const kept = session.mirror.snapshot(draftsIn)
      if (kept.length === 0) return ok([])
      // Keys that were unlocked a moment ago may not have reached every workspace.
      if (session.cipher === null) await session.keysSettled()
      const cipher = requireCipher(session)
      if (!cipher.ok) return cipher
      return ok(
        kept.flatMap(({ placeId, sealed }) => {
          const draft = cipher.value.open(sealed)
          return draft === null ? [] : [{ placeId, draft }]
        }),
      )
    }),
})
