import { backup, restore } from './backup.ts'
import { exitMessage } from './exit-message.ts'
import { keys } from './keys.ts'
import { prune } from './prune.ts'
import { serve } from './serve.ts'

const commands: Record<string, (args: string[]) => Promise<number>> = { serve, keys, backup, restore, prune }

/** Runs a command of the service's command line and gives its exit code. A failure is one sentence on stderr. */
export const run = async (args: readonly string[]): Promise<number> => {
  const [first, ...rest] = args
  const command = first === undefined ? undefined : commands[first]
  try {
    return command === undefined ? await serve([...args]) : await command(rest)
  } catch (error) {
    process.stderr.write(`${exitMessage(error)}\n`)
    return 1
  }
}
