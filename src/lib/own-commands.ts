import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { CommandName } from '../../electron/bridge/contract.ts'

const listeners = new Set<() => void>()

/** Calls `listener` whenever a command of this window was answered, until the returned function is called. */
export const onCommandAnswered = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Commands that change nothing that a screen shows; drafts are kept at every key. */
const unseen: ReadonlySet<CommandName> = new Set([
  'drafts.keep',
  'drafts.take',
  'app.remember-place',
  'app.stay-unlocked',
  'clipboard.copy',
  'clipboard.hold',
  'clipboard.release',
])

/** The same bridge, which tells of its commands. Their pushes have come before their answer. */
export const tellCommands = (bridge: Bridge): Bridge => ({
  query: (name, args) => bridge.query(name, args),
  command: async (name, args) => {
    try {
      return await bridge.command(name, args)
    } finally {
      if (!unseen.has(name)) for (const listener of listeners) listener()
    }
  },
  onPush: (listener) => bridge.onPush(listener),
})
