import { parseArgs } from 'node:util'
import { flavours, type Flavour } from './flavours.ts'
import { startFlavour } from './start-flavour.ts'

/** As `service/main.ts` is run, with `--flavour`: its first line is the same. */
const { values } = parseArgs({ options: { port: { type: 'string' }, data: { type: 'string' }, flavour: { type: 'string' } } })
const flavour = flavours.find((one): one is Flavour => one === values.flavour)
if (flavour === undefined || values.data === undefined) throw new Error('--flavour and --data are needed')
const service = await startFlavour(flavour, values.data, Number(values.port ?? 0))
const { url, workspaceId, apiKey } = service
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)))
process.stdout.write(`${JSON.stringify({ url, workspaceId, ...(apiKey === null ? {} : { apiKey }) })}\n`)
