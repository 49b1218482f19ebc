import type { CompiledQuery, Kysely, KyselyPlugin, QueryId } from 'kysely'
import type { Tables } from './tables.ts'

const marked = new WeakSet<QueryId>()

const marking: KyselyPlugin = {
  transformQuery: ({ node, queryId }) => {
    marked.add(queryId)
    return node
  },
  transformResult: async ({ result }) => result,
}

/**
 * The same runner for statements that may take minutes because they touch any number of rows, or wait for another process that does. All
 * others have 30 seconds on PostgreSQL, as do prepared queries of this runner.
 */
export const withoutTimeout = <R extends { readonly kysely: Kysely<Tables> }>(runner: R): R => ({
  ...runner,
  kysely: runner.kysely.withPlugin(marking),
})

/** Whether a query was made by a runner without a timeout. */
export const hasNoTimeout = ({ queryId }: Pick<CompiledQuery, 'queryId'>): boolean => marked.has(queryId)
