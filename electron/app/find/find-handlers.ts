import { setImmediate as endOfTick } from 'node:timers/promises'
import type { Push } from '../../bridge/contract.ts'
import { ok } from '../../bridge/result.ts'
import type { AppContext } from '../app-context.ts'
import type { Handlers } from '../handlers.ts'
import { findNames, type SearchedWorkspace } from './find-names.ts'
import { createNamesOfAll } from './names-of-all.ts'

type FindHandlers = Pick<Handlers, 'find.search'>

/**
 * Finds names in every workspace. Works while keys are locked, because names are not encrypted. Reads a workspace that is not open without
 * opening it; if that fails, finds only its own name. `onPush`: subscribes to changes.
 */
export const findHandlers = (context: AppContext, onPush: (listener: (push: Push) => void) => unknown): FindHandlers => {
  const names = createNamesOfAll()
  let listed: Promise<{ id: string; name: string }[]> | null = null
  onPush((push) => {
    if (push.tables.includes('workspaces')) listed = null
  })

  const namesIn = async ({ id, name }: { id: string; name: string }): Promise<SearchedWorkspace> => {
    const session = context.workspaces.opened(id)
    if (session === null) return { id, name, names: await names.closed(id, () => context.workspaces.reader(id)) }
    try {
      return { id, name, names: await names.open(id, session.mirror) }
    } catch (error) {
      // A workspace that was closed during the read counts as not open.
      if (context.workspaces.opened(id)?.mirror === session.mirror) throw error
      return { id, name, names: null }
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
      // An empty text finds nothing, but already reads the names for the next key press.
      return ok(findNames(await Promise.all(rows.map(namesIn)), text, limit))
    },
  }
}
