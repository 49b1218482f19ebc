import { ok } from '../../bridge/result.ts'
import { draftsIn, moveDraft, putDraft } from '../../mirror/drafts-layer.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'

/**
 * Keeps unsaved text in the workspace's database, sealed with the workspace key. It outlives a lock, which reloads the page, and the end of
 * Holdfast. It can't be read while Holdfast is locked.
 */
export const draftsHandlers = (context: AppContext): Pick<Handlers, 'drafts.keep' | 'drafts.take'> => ({
  'drafts.keep': ({ workspaceId, placeId, draft, adopted = [] }) =>
    draft === null
      ? inSession(context, workspaceId, ({ mirror }) => {
          mirror.write((tx) => [placeId, ...adopted].forEach((each) => putDraft(tx, each, null)))
          return ok(null)
        })
      : inUnlocked(context, workspaceId, ({ mirror }, cipher) => {
          const { sealed } = cipher.seal(draft)
          mirror.write((tx) => {
            putDraft(tx, placeId, sealed)
            for (const each of adopted) putDraft(tx, each, null)
          })
          return ok(null)
        }),
  'drafts.take': ({ workspaceId, page }) =>
    inSession(context, workspaceId, async (session) => {
      if (session.mirror.snapshot(draftsIn).length === 0) return ok([])
      // Keys that were unlocked a moment ago may not have reached every workspace.
      if (session.cipher === null) await session.keysSettled()
      const cipher = requireCipher(session)
      if (!cipher.ok) return cipher
      // One transaction: of two pages that take at once, one gets them.
      return ok(
        session.mirror.write((tx) =>
          draftsIn(tx).flatMap(({ placeId, sealed }) => {
            // Earlier versions of Holdfast named no page.
            const [place = placeId, owner = ''] = placeId.split('/')
            if (owner !== page && context.pages.isOpen(owner)) return []
            const draft = cipher.value.open(sealed)
            if (draft === null) return []
            const taken = owner === page ? placeId : `${place}/${page}/${context.newId()}`
            if (taken !== placeId) moveDraft(tx, placeId, taken)
            return [{ placeId: taken, draft }]
          }),
        ),
      )
    }),
})
