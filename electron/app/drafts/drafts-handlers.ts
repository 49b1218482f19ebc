import { ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { inUnlocked } from '../workspaces/in-session.ts'

/**
 * Keeps unsaved text while the page reloads, as it does at a lock. It is held in memory only and sealed with the workspace key, so it can't
 * be read while Holdfast is locked.
 */
export const draftsHandlers = (context: AppContext): Pick<Handlers, 'drafts.keep' | 'drafts.read'> => {
  const kept = new Map<string, { workspaceId: string; sealed: string }>()
  return {
    'drafts.keep': async ({ workspaceId, placeId, draft }) => {
      if (draft === null) {
        kept.delete(placeId)
        return ok(null)
      }
      return inUnlocked(context, workspaceId, (_session, cipher) => {
        kept.set(placeId, { workspaceId, sealed: cipher.seal(draft).sealed })
        return ok(null)
      })
    },
    'drafts.read': async () => {
      if (kept.size === 0) return ok([])
      // Keys that were unlocked a moment ago may not have reached every workspace.
      await context.workspaces.refreshKeys()
      const opened = await Promise.all(
        [...kept].map(async ([placeId, { workspaceId, sealed }]) => {
          const session = await context.workspaces.session(workspaceId)
          const draft = session.ok ? (session.value.cipher?.open(sealed) ?? null) : null
          return draft === null ? [] : [{ placeId, draft }]
        }),
      )
      return ok(opened.flat())
    },
  }
}
