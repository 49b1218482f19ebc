import type { CommandName, Commands, Queries, QueryName } from '../bridge/contract.ts'
import type { Result } from '../bridge/result.ts'

/**
 * One function per name of the contract. Arguments have been checked when a handler sees them;
 * expected failures come back as data, a throw is a bug.
 * A slice gives its part of the table: `Pick<Handlers, 'projects.list' | 'projects.create'>`.
 */
export type Handlers = {
  [N in QueryName]: (args: Queries[N]['args']) => Promise<Result<Queries[N]['value']>>
} & {
  [N in CommandName]: (args: Commands[N]['args']) => Promise<Result<Commands[N]['value']>>
}
