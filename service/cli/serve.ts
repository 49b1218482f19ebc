import { isIP } from 'node:net'
import { bytesQuota, recordsQuota, requestsPerMinute, versionsQuota } from '../protocol/limits.ts'
import { createLogger } from '../http/logger.ts'
import { createService, type ServiceDeps } from '../app.ts'
import { CommandError } from './exit-message.ts'
import type { Output } from './output.ts'
import { readOptions, storageOf, storageOptions } from './options.ts'

const usage = `Usage: npm run service -- (--data DIR | --database-url-file FILE) [--port 0] [--host 127.0.0.1] [--mint-key] [--parent-watch] [--log-level info] [--requests-per-minute 6000] [--max-records 1000000] [--max-versions 100000] [--max-mib 16384] [--trust-proxy ADDRESSES]
Commands, each with a --help of its own:
  keys        creates, lists and revokes API keys
  workspaces  creates, lists and deletes workspaces
  backup      writes everything to a file
  restore     restores a backup
  prune       deletes old traces of deleted records`

const readPort = (text: string | undefined): number => {
  const port = text === undefined ? 0 : /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (!(port <= 65_535)) throw new CommandError('The port must be a number from 0 to 65535; 0 is any free one.')
  return port
}

/** An IP address: a name can be of another computer, and an empty text would be every address of this one. */
const readHost = (text: string): string => {
  // For the name localhost Fastify would open a second server, which knows no limit of connections.
  const host = text === 'localhost' ? '127.0.0.1' : text
  if (isIP(host) === 0) throw new CommandError('--host takes an IP address of this computer, such as 127.0.0.1, or 0.0.0.0 for all it has.')
  return host
}

/** A limit; null where 0 says that there is none. */
const readLimit = (text: string, what: string): number | null => {
  if (!/^\d{1,9}$/.test(text)) throw new CommandError(`${what} must be a whole number; 0 is no limit.`)
  return Number(text) === 0 ? null : Number(text)
}

const proxyNames = ['loopback', 'linklocal', 'uniquelocal']

const isNetwork = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const most = isIP(address) === 4 ? 32 : isIP(address) === 6 ? 128 : -1
  return most > 0 && more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
}

/** The addresses of the proxies trusted to name a client's address. */
const readProxies = (text: string | undefined): string[] | undefined => {
  if (text === undefined || text === '') return undefined
  const proxies = text.split(',').map((one) => one.trim())
  if (!proxies.every((one) => proxyNames.includes(one) || isNetwork(one)))
    throw new CommandError(
      `--trust-proxy takes the addresses of the proxies in front of the service: 10.0.0.0/8,192.168.1.5. Names of ranges: ${proxyNames.join(', ')}.`,
    )
  return proxies
}

const mebibyte = 1024 * 1024

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

const checkParentMs = 1000

/**
 * Resolves with the reason once the process should stop: SIGTERM, SIGINT, SIGHUP and, with `watchParent`,
 * when the parent goes away: its end of stdin closes, or the process is handed to another parent.
 */
const untilToldToStop = (watchParent: boolean): Promise<string> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
    if (!watchParent) return
    const firstParent = process.ppid
    const timer = setInterval(() => {
      if (process.ppid === firstParent) return
      clearInterval(timer)
      resolve('the parent ended')
    }, checkParentMs)
    timer.unref()
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve('the parent closed stdin'))
    process.stdin.resume()
  })

const options = {
  ...storageOptions,
  port: { type: 'string' },
  host: { type: 'string', default: '127.0.0.1' },
  'mint-key': { type: 'boolean', default: false },
  'parent-watch': { type: 'boolean', default: false },
  'log-level': { type: 'string', default: 'info' },
  'trust-proxy': { type: 'string' },
  'requests-per-minute': { type: 'string', default: String(requestsPerMinute) },
  'max-records': { type: 'string', default: String(recordsQuota) },
  'max-versions': { type: 'string', default: String(versionsQuota) },
  'max-mib': { type: 'string', default: String(bytesQuota / mebibyte) },
} as const

/** The service that the options describe, and the level of its log. */
const readService = (
  values: ReturnType<typeof readOptions<typeof options>>['values'],
): { deps: ServiceDeps & { listen: { port: number; host: string } }; logLevel: string } => {
  const logLevel = values['log-level']
  const levels = ['silent', 'error', 'warn', 'info', 'debug']
  if (!levels.includes(logLevel)) throw new CommandError(`The log level must be one of ${levels.join(', ')}.`)
  const listen = { port: readPort(values.port), host: readHost(values.host) }
  const trustProxy = readProxies(values['trust-proxy'] ?? process.env['TRUST_PROXY'])
  const mebibytes = readLimit(values['max-mib'], 'The MiB of values in a workspace')
  const quotas = {
    records: readLimit(values['max-records'], 'The records of a workspace'),
    versions: readLimit(values['max-versions'], 'The versions of a workspace'),
    bytes: mebibytes === null ? null : mebibytes * mebibyte,
  }
  const deps = {
    storage: storageOf(values),
    listen,
    mintKey: values['mint-key'],
    requestsPerMinute: readLimit(values['requests-per-minute'], 'The requests a minute of one key'),
    quotas,
    ...(trustProxy === undefined ? {} : { trustProxy }),
  }
  return { deps, logLevel }
}

/**
 * Runs the service until it is told to stop. The first line on stdout is JSON: `url` without a trailing slash, `workspaceId`, and
 * `apiKey` when one was made. Logs go to stderr.
 */
export const serve = async (args: readonly string[], output: Output): Promise<number> => {
  const { values, positionals } = readOptions(args, options, usage, { words: true })
  const [word] = positionals
  if (word !== undefined && word === args[0]) throw new CommandError(`"${word}" is not a command.\n${usage}`)
  if (word !== undefined) throw new CommandError(`A command comes before all options, and "${word}" is after one.\n${usage}`)
  const { deps, logLevel } = readService(values)
  const { logger, flush } = createLogger(logLevel)
  const service = await createService({ ...deps, logger })
  try {
    const address = service.app.server.address()
    if (address === null || typeof address === 'string') throw new Error('the service listens on no port')
    // Only now: waiting for a signal or the parent would keep a process alive that cannot start.
    const stop = untilToldToStop(values['parent-watch'])
    const { workspaceId, apiKey } = service
    const line = { url: urlOf(deps.listen.host, address.port), workspaceId, ...(apiKey === null ? {} : { apiKey }) }
    output.print(line)
    logger.info({ reason: await stop }, 'stopping')
  } finally {
    await service.close()
    flush()
  }
  // A parent's pipe or port may still be open and would keep the process alive.
  process.exit(0)
}
