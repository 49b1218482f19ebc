import { availableParallelism } from 'node:os'
import { runCommand } from './run-command.ts'

export interface Check {
  name: string
  command: string
  args: readonly string[]
  deadlineSeconds: number
}

export interface Counts {
  passed: number
  failed: number
  skipped: number
}

/** Runs commands that do not depend on each other, as many at once as there are cores; counts each as one. Prints each one's output when it has ended. */
export async function runChecks(checks: readonly Check[]): Promise<Counts> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const waiting = [...checks]
  const work = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const { name, command, args, deadlineSeconds } = check
      const { code, seconds, timedOut, output } = await runCommand(command, args, { deadlineSeconds, isHeld: true })
      const passed = code === 0
      counts[passed ? 'passed' : 'failed'] += 1
      const why = timedOut ? ` (ended at its deadline of ${deadlineSeconds} s)` : ''
      process.stdout.write(`${passed ? '' : `\n-- ${command} ${args.join(' ')}\n`}${output.trimEnd()}${output.trim() === '' ? '' : '\n'}`)
      process.stdout.write(`-- ${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s${why}\n`)
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return counts
}
