import { parseArgs } from 'node:util'
import { err, ok, type Result } from '../bridge/result.ts'

export interface HostArgs {
  /** 0: a free one. */
  port: number
  dataDir: string | null
  open: boolean
  /** Electron without its sandbox, for containers whose owner knows why. */
  noSandbox: boolean
}

/** Why nothing is started, as a sentence for the terminal. `isAsked`: it is the usage, which --help asked for. */
export interface NotStarted {
  sentence: string
  isAsked: boolean
}

const usage = 'Holdfast takes --port N, --data-dir DIR, --no-open and --no-sandbox.'

const refused = (sentence: string): Result<never, NotStarted> => err({ sentence, isAsked: false })

/** Reads the arguments of `npm start` and `npm run host`. */
export function readHostArgs(args: readonly string[]): Result<HostArgs, NotStarted> {
  if (args.includes('--help')) return err({ sentence: usage, isAsked: true })
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '0' },
        'data-dir': { type: 'string' },
        'no-open': { type: 'boolean', default: false },
        'no-sandbox': { type: 'boolean', default: false },
      },
    })
    const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : -1
    if (port < 0 || port > 65_535) return refused(`The port must be a number from 0 to 65535, not "${values.port}".`)
    // A variable of a script that is not set. The user's own data would be opened instead.
    if (values['data-dir'] === '') return refused('The folder after --data-dir is missing.')
    return ok({ port, dataDir: values['data-dir'] ?? null, open: !values['no-open'], noSandbox: values['no-sandbox'] })
  } catch (error) {
    return refused(`${error instanceof Error ? error.message.split('. ')[0] : 'The arguments cannot be read'}. ${usage}`)
  }
}
