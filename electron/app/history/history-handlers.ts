import { err, ok } from '../../bridge/result.ts'
import { historyEntries } from '../../mirror/history-layer.ts'
import type { AppContext } from '../app-context.ts'
import { createAuthors } from '../deleted/deleted-on-service.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { shownValue } from '../variables/shown-value.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { listHistory } from './list-history.ts'
import { restoreValue } from './restore-value.ts'
import { secrecyOfKept } from './secrecy-of-kept.ts'

type HistoryHandlers = Pick<Handlers, 'history.list' | 'history.values' | 'history.restore'>

/** Lists and restores values that were overwritten or deleted, here or on the service. */
export const historyHandlers = (context: AppContext): HistoryHandlers => {
  const learnAuthors = createAuthors(context, 'environments')
  return {
    'history.list': ({ workspaceId, environmentId, variableId }) =>
      inSession(context, workspaceId, (session) => {
        const of = { environmentId, variableId, isOwn: session.info.kind !== 'remote' }
        const { rows, unnamed } = session.mirror.snapshot((tx) => listHistory(tx, of))
        learnAuthors(session, unnamed)
        return ok(rows)
      }),
    'history.values': ({ workspaceId, entries, reveal }) =>
      inUnlocked(context, workspaceId, (session, cipher) => {
        const { maskAll } = context.settings.get()
        const rows = session.mirror.snapshot((tx) => {
          const kept = historyEntries(tx, entries)
          const isSecret = secrecyOfKept(tx, kept)
          return kept.map((row) => ({ ...row, masked: maskAll || isSecret(row) !== false }))
        })
        return ok(
          rows.map((row) => {
            const shown = shownValue(cipher, row.sealed, row.masked, reveal)
            return { entry: row.seq, state: shown.state, value: shown.state === 'shown' ? shown.value : null }
          }),
        )
      }),
    'history.restore': ({ workspaceId, entry, variableId, seen }) =>
      edit(context, workspaceId, ['environments', 'variables'], (tx, editContext, session) => {
        const cipher = requireCipher(session)
        if (!cipher.ok) return cipher
        const [kept] = historyEntries(tx, [entry])
        if (kept === undefined) return err({ kind: 'not-found', message: 'This value is no longer kept: 30 days have passed.' })
        return restoreValue(tx, editContext, cipher.value, kept, { variableId, seen })
      }),
  }
}
