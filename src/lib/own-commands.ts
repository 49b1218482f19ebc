import type { Bridge } from '../../electron/bridge/bridge.ts'

const listeners = new Set<() => void>()

/** Calls `listener` whenever a command of this window was answered, until the returned function is called. */
export const onCommandAnswered = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The same bridge, which tells of its commands. Their pushes have come before their answer. */
export const tellCommands = (bridge: Bridge): Bridge => ({
  query: (name, args) => bridge.query(name, args),
  command: async (name, args) => {
    try {
      return await bridge.command(name, args)
    } finally {
      for (const listener of listeners) listener()
    }
  },
  onPush: (listener) => bridge.onPush(listener),
})
