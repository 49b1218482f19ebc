import type { CommandName, Commands, Queries, QueryName } from '../bridge/contract.ts'
import type { Edited, Result } from '../bridge/result.ts'

/**
 * One function per name of the contract. Arguments are checked before a handler gets them. Expected failures are returned as data; a throw
 * is a bug. Each area implements its part: `Pick<Handlers, 'projects.list' | 'projects.create'>`.
 */
export type Handlers = {
  [N in QueryName]: (args: Queries[N]['args']) => Promise<Result<Queries[N]['value']>>
} & {
  [N in CommandName]: (args: Commands[N]['args']) => Promise<Edited<Commands[N]['value']>>
}
