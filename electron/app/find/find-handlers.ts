import { setImmediate as endOfTick } from 'node:timers/promises'
import type { Push } from '../../bridge/contract.ts'
import { ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { findNames, type SearchedWorkspace } from './find-names.ts'
import { createNamesOfAll } from './names-of-all.ts'

type FindHandlers = Pick<Handlers, 'find.search'>

/**
 * Finds names in every workspace; names are no secrets, so it works while keys are locked, and a workspace that was not opened yet is
 * only read. Of one that cannot be read it finds the own name. `onPush` is told what changes.
 */
export const findHandlers = (context: AppContext, onPush: (listener: (push: Push) => void) => unknown): FindHandlers => {
  const names = createNamesOfAll()
  let listed: Promise<{ id: string; name: string }[]> | null = null
  onPush((push) => {
    if (push.tables.includes('workspaces')) listed = null
  })

  const look = async ({ id, name }: { id: string; name: string }): Promise<SearchedWorkspace> => {
    const row = { id, name }
    const session = context.workspaces.opened(id)
    if (session === null) return { ...row, names: await names.closed(id, () => context.workspaces.reader(id)) }
    try {
      return { ...row, names: await names.open(id, session.mirror) }
    } catch (error) {
      // A workspace that was closed while it was read is one that is not open.
      if (context.workspaces.opened(id)?.mirror === session.mirror) throw error
      return { ...row, names: null }
    }
  }

  return {
    async 'find.search'({ text, limit }) {
      // The push for a write committed before this query comes at the end of the tick.
      await endOfTick()
      listed ??= context.workspaces.list()
      const rows = await listed.catch((error: unknown) => {
        listed = null
        throw error
      })
      // Without a text nothing is found, but what the next key needs is read.
      return ok(findNames(await Promise.all(rows.map(look)), text, limit))
    },
  }
}
