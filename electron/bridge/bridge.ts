import type { CommandName, Commands, Push, Queries, QueryName } from './contract.ts'
import type { Edited, Result } from './result.ts'

/**
 * The object through which the page reaches the application; there is no other way. Electron's preload and the browser host's socket each
 * give the page one.
 */
export interface Bridge {
  query<N extends QueryName>(name: N, args: Queries[N]['args']): Promise<Result<Queries[N]['value']>>
  command<N extends CommandName>(name: N, args: Commands[N]['args']): Promise<Edited<Commands[N]['value']>>
  /** Calls `listener` for every push until the returned function is called. */
  onPush(listener: (push: Push) => void): () => void
}

/** The application as a shell (Electron's main process, the browser host) sees it: the other end of a `Bridge`. */
export interface Application {
  /** Answers a query by name. Checks name and args, because they come from outside. If one is wrong, the error is `invalid-input`. */
  query(name: string, args: unknown): Promise<Result<unknown>>
  /** Runs a command by name, checked the same way. */
  command(name: string, args: unknown): Promise<Result<unknown>>
  onPush(listener: (push: Push) => void): () => void
  /**
   * Counts a page as open until the returned function is called, and for some seconds after. For a shell that shows several pages: none of them
   * gets the drafts of another open one.
   */
  openPage(page: string): () => void
  /** Tries waiting changes now. For a shell to call if the network may be back, or the computer woke up. */
  wake(): void
  /**
   * Locks the keys, if only the user can unlock them. For a shell to call if the system was suspended or locked its screen. Never rejects.
   */
  lock(): Promise<void>
  /** Stops sync at a commit point, stops child services, closes databases, forgets keys. */
  close(): Promise<void>
}
