import { ok } from '../../bridge/result.ts'
import { unverifiedCount, unverifiedIds } from '../../mirror/reads/unverified.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { Handlers } from '../handlers.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import { acceptValue, listUnverified, restoreVerified, showUnverified, type Decision } from './decide-value.ts'

type UnverifiedHandlers = Pick<Handlers, 'unverified.list' | 'unverified.show' | 'unverified.accept' | 'unverified.restore'>

/** More are not listed one by one; what is decided of them makes room for the next. */
const mostListed = 2000

/** Values that are not proven to be from a member, and what their user decides on them. */
export const unverifiedHandlers = (context: AppContext): UnverifiedHandlers => ({
  async 'unverified.list'({ workspaceId }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const { mirror } = session.value
    const cipher = requireCipher(session.value)
    if (!cipher.ok) return cipher
    const total = await unverifiedCount(mirror)
    const ids = total === 0 ? [] : await unverifiedIds(mirror, mostListed)
    return ok({ total, rows: mirror.snapshot((tx) => listUnverified(tx, cipher.value, ids)) })
  },
  async 'unverified.show'({ workspaceId, id }) {
    const session = await context.workspaces.session(workspaceId)
    if (!session.ok) return session
    const cipher = requireCipher(session.value)
    if (!cipher.ok) return cipher
    return ok(session.value.mirror.snapshot((tx) => showUnverified(tx, cipher.value, id)))
  },
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
