import { writeFileSync } from 'node:fs'
import { run } from './cli/run.ts'

// Whatever this process writes is for its user alone.
process.umask(0o077)

// API keys pass through the memory of this process, so the core file that a crash may leave on Linux must contain none of it (core(5)).
try {
  if (process.platform === 'linux') writeFileSync('/proc/self/coredump_filter', '0')
} catch {
  // A container may hide it.
}

process.exitCode = await run(process.argv.slice(2))
