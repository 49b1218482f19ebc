import { readHostArgs, type HostArgs } from './read-host-args.ts'

/** Returns the arguments of this process. Ends it where they say to: with the usage, or with what is wrong with them. */
export function takeHostArgs(): HostArgs {
  const args = readHostArgs(process.argv.slice(2))
  if (args.ok) return args.value
  const { sentence, isAsked } = args.error
  const output = isAsked ? process.stdout : process.stderr
  output.write(`${sentence}\n`)
  process.exit(isAsked ? 0 : 1)
}
