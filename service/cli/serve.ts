import { requestsPerMinute } from '../protocol/limits.ts'
import { createLogger } from '../http/logger.ts'
import { createService } from '../app.ts'
import { CommandError } from './exit-message.ts'
import { readOptions, storageOf, storageOptions } from './options.ts'
import { untilToldToStop } from './stop-signals.ts'

const usage =
  'Usage: npm run service -- --port N (--data DIR | --database-url URL) [--host 127.0.0.1] [--mint-key] [--parent-watch] [--log-level info] [--requests-per-minute 6000]'

const readPort = (text: string | undefined): number => {
  const port = text === undefined ? 0 : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new CommandError('The port must be a number from 0 to 65535; 0 is any free one.')
  return port
}

const readRate = (text: string): number | null => {
  const rate = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isNaN(rate)) throw new CommandError('The requests a minute of one key must be a whole number; 0 is no limit.')
  return rate === 0 ? null : rate
}

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * Runs the service until it is told to stop. The first line on stdout is JSON: `url` without a trailing slash, `workspaceId`, and
 * `apiKey` when one was made. Logs go to stderr.
 */
export const serve = async (args: readonly string[]): Promise<number> => {
  const { values, positionals } = readOptions(
    args,
    {
      ...storageOptions,
      port: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'mint-key': { type: 'boolean', default: false },
      'parent-watch': { type: 'boolean', default: false },
      'log-level': { type: 'string', default: 'info' },
      'requests-per-minute': { type: 'string', default: String(requestsPerMinute) },
    },
    usage,
  )
  if (positionals.length > 0) throw new CommandError(`"${positionals[0]}" is not a command.\n${usage}`)
  const levels = ['silent', 'error', 'warn', 'info', 'debug']
  if (!levels.includes(values['log-level'])) throw new CommandError(`The log level must be one of ${levels.join(', ')}.`)
  const port = readPort(values.port)

  const { logger, flush } = createLogger(values['log-level'])
  const service = await createService({
    storage: storageOf(values),
    mintKey: values['mint-key'],
    requestsPerMinute: readRate(values['requests-per-minute']),
    logger,
  })
  try {
    await service.app.listen({ port, host: values.host, listenTextResolver: () => 'listening' })
    const address = service.app.server.address()
    if (address === null || typeof address === 'string') throw new Error('the service listens on no port')
    // Only now: what waits for a signal or the parent would keep a process that cannot start.
    const stop = untilToldToStop(values['parent-watch'])
    const { workspaceId, apiKey } = service
    const line = { url: urlOf(values.host, address.port), workspaceId, ...(apiKey === null ? {} : { apiKey }) }
    process.stdout.write(`${JSON.stringify(line)}\n`)
    logger.info({ reason: await stop }, 'stopping')
  } finally {
    await service.close()
    flush()
  }
  // A parent's pipe or port may still be open and would keep the process.
  process.exit(0)
}
