import { run } from './cli/run.ts'

// Whatever this process writes is for its user alone.
process.umask(0o077)

process.exitCode = await run(process.argv.slice(2))
