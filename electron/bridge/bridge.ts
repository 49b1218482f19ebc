import type { CommandName, Commands, Push, Queries, QueryName } from './contract.ts'
import type { Result } from './result.ts'

/**
 * The one object through which the page reaches the application. Electron's preload and the
 * browser host's socket each give the page one of these; nothing else crosses.
 */
export interface Bridge {
  query<N extends QueryName>(name: N, args: Queries[N]['args']): Promise<Result<Queries[N]['value']>>
  command<N extends CommandName>(name: N, args: Commands[N]['args']): Promise<Result<Commands[N]['value']>>
  /** Calls `listener` for every push until the returned function is called. */
  onPush(listener: (push: Push) => void): () => void
}

/** The return value of `createApp` for a shell (Electron's main process, the browser host): the other end of a `Bridge`. */
export interface Application {
  /** Answers a query by name. Name and args come from outside: both are checked here, a bad one is `invalid-input`. */
  query(name: string, args: unknown): Promise<Result<unknown>>
  /** Runs a command by name, checked the same way. */
  command(name: string, args: unknown): Promise<Result<unknown>>
  onPush(listener: (push: Push) => void): () => void
  /** Tells the engine that the network may be back or the computer woke up: tries waiting changes now. */
  wake(): void
  /** Locks the keys because the system was suspended or locked its screen, where only the user can unlock them. Never rejects. */
  lock(): Promise<void>
  /** Stops sync at a commit point, stops child services, closes databases, forgets keys. */
  close(): Promise<void>
}
