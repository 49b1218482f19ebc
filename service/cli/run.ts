import { backup, restore } from './backup.ts'
import { HelpAsked, exitMessage } from './exit-message.ts'
import { keys } from './keys.ts'
import { processOutput } from './output.ts'
import type { Output } from './output.ts'
import { prune } from './prune.ts'
import { serve } from './serve.ts'
import { workspaces } from './workspaces.ts'

const commands = new Map<string, (args: string[], output: Output) => Promise<number>>(
  Object.entries({ serve, keys, workspaces, backup, restore, prune }),
)

/** Runs a command of the service's command line and returns its exit code. A failure is one sentence, through `output`. */
export const run = async (args: readonly string[], output = processOutput): Promise<number> => {
  const [first, ...rest] = args
  const command = first === undefined ? undefined : commands.get(first)
  try {
    return command === undefined ? await serve(args, output) : await command(rest, output)
  } catch (error) {
    if (error instanceof HelpAsked) {
      output.print(error.message)
      return 0
    }
    output.printError(exitMessage(error))
    return 1
  }
}
