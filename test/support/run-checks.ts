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
  /** Of those passed: how many had to be tried again. */
  flaky: number
}

/** Runs commands one after another, says of each whether it passed, and counts each as one. */
export async function runChecks(checks: readonly Check[]): Promise<Counts> {
  const counts = { passed: 0, failed: 0, skipped: 0, flaky: 0 }
  for (const { name, command, args, deadlineSeconds } of checks) {
    process.stdout.write(`\n-- ${name}: ${command} ${args.join(' ')}\n`)
    const { code, seconds, timedOut } = await runCommand(command, args, { deadlineSeconds })
    const passed = code === 0
    counts[passed ? 'passed' : 'failed'] += 1
    const why = timedOut ? ` (ended at its deadline of ${deadlineSeconds} s)` : ''
    process.stdout.write(`-- ${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(1)} s${why}\n`)
  }
  return counts
}
