import type { Push, Table } from '../bridge/contract.ts'

export interface Pushes {
  emit(push: Push): void
  /** Sends all pending pushes now. */
  flush(): void
  /** Calls `listener` for every push until the returned function is called. */
  onPush(listener: (push: Push) => void): () => void
}

/**
 * Sends pushes to all listeners, one per workspace and tick, so that a sync of a hundred pages doesn't make the page query a hundred times.
 * If a listener throws, calls `onListenerError` and goes on with the others.
 */
export const createPushes = (onListenerError: (error: unknown) => void): Pushes => {
  const listeners = new Set<(push: Push) => void>()
  const waiting = new Map<string | null, Set<Table>>()

  const tell = (listener: (push: Push) => void, push: Push) => {
    try {
      listener(push)
    } catch (error) {
      onListenerError(error)
    }
  }
  const flush = () => {
    const pushes = [...waiting].map(([workspaceId, tables]): Push => ({ push: 'changed', workspaceId, tables: [...tables] }))
    waiting.clear()
    for (const push of pushes) for (const listener of listeners) tell(listener, push)
  }

  return {
    emit({ workspaceId, tables }) {
      if (waiting.size === 0) setImmediate(flush)
      const before = waiting.get(workspaceId)
      if (before === undefined) waiting.set(workspaceId, new Set(tables))
      else for (const table of tables) before.add(table)
    },
    flush,
    onPush(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
