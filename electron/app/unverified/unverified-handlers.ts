import type { AppError } from '../../bridge/app-error.ts'
import { err, ok } from '../../bridge/result.ts'
import { unverifiedCount, unverifiedIds } from '../../mirror/reads/unverified.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { inSession, inUnlocked } from '../workspaces/in-session.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { readProfile } from '../capabilities/keep-profile.ts'
import { policyOf } from '../workspaces/value-rules.ts'
import { beginBinding, continueBinding } from './bind-values.ts'
import { acceptValue, listUnverified, restoreVerified, showUnverified, type Decision } from './decide-value.ts'

type UnverifiedHandlers = Pick<
  Handlers,
  'unverified.list' | 'unverified.show' | 'unverified.bind' | 'unverified.accept' | 'unverified.restore'
>

const notOffered: AppError = {
  kind: 'unsupported',
  message: 'This service has no change feed, so other clients may write to it. Its values can’t be sealed.',
}

/** The most variables in the list. Deciding on some makes room for more. */
const mostListed = 2000

/** Lists the Unverified values, and accepts or restores them. */
export const unverifiedHandlers = (context: AppContext): UnverifiedHandlers => ({
  'unverified.list': ({ workspaceId }) =>
    inUnlocked(context, workspaceId, async ({ mirror }, cipher) => {
      const total = await unverifiedCount(mirror)
      const ids = total === 0 ? [] : await unverifiedIds(mirror, mostListed)
      return ok({ total, rows: mirror.snapshot((tx) => listUnverified(tx, cipher, ids)) })
    }),
  'unverified.show': ({ workspaceId, id }) =>
    inUnlocked(context, workspaceId, (session, cipher) => ok(session.mirror.snapshot((tx) => showUnverified(tx, cipher, id)))),
  'unverified.bind': ({ workspaceId }) =>
    // Not `inUnlocked`: what is queued stays queued, also if the keys are locked meanwhile.
    inSession(context, workspaceId, async (session) => {
      const { mirror, info, engine } = session
      const cipher = requireCipher(session)
      if (!cipher.ok) return cipher
      if (mirror.snapshot(readProfile)?.kind !== 'full') return err(notOffered)
      if (policyOf(info, mirror) !== 'open') return ok(null)
      beginBinding(mirror)
      await continueBinding(mirror, cipher.value, () => ({ now: context.deps.now(), newId: context.newId }))
      context.emit({ push: 'changed', workspaceId, tables: ['variables', 'queue', 'sync'] })
      engine?.wake()
      return ok(null)
    }),
  'unverified.accept': ({ workspaceId, rows }) => decide(context, workspaceId, rows, acceptValue),
  'unverified.restore': ({ workspaceId, rows }) => decide(context, workspaceId, rows, restoreVerified),
})

const decide = (context: AppContext, workspaceId: string, rows: readonly { id: string; seen: number }[], decision: Decision) =>
  edit(context, workspaceId, ['variables'], (tx, editContext, session) => {
    const cipher = requireCipher(session)
    if (!cipher.ok) return cipher
    const decided = rows.filter((row) => decision(tx, editContext, cipher.value, row)).length
    return ok({ decided, skipped: rows.length - decided })
  })
