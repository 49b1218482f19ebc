import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import { loadHost, root } from '../../../electron/host/load-host.ts'
import { openLog } from '../../../electron/shell/open-log.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { startFlavour } from '../../support/start-flavour.ts'
import type { StageAnswers, StageRequest } from './stage.ts'

/**
 * What `Stage` asks for, in one process for all tests of a worker: the built browser host on one data folder after another, and services.
 * Passphrases of vaults cost less than in the programs, which the tests of Electron and of hosts in processes of their own prove.
 */

/** As the host does: what is older than its sources is built anew before it is tested. */
const loaded = loadHost()
const running = new Map<string, () => Promise<void>>()
/** The last address that each host announced, by its folder. */
const addresses = new Map<string, string>()

const startHost = async (dataDir: string): Promise<StageAnswers['startHost']> => {
  const host = await loaded
  if (!host.ok) throw new Error(host.error)
  const announce = (url: string) => void addresses.set(dataDir, url)
  const stores = createKeyStores(dataDir, cheapDerivation)
  const opened = await host.value.openHost({ root, port: 0, dataDir, log: openLog(dataDir), announce, stores })
  if (!opened.ok) throw new Error(opened.error)
  running.set(dataDir, opened.value.close)
  return addressOf(dataDir)
}

const addressOf = (dataDir: string): { url: string } => {
  const url = addresses.get(dataDir)
  if (url === undefined) throw new Error(`No host was announced on ${dataDir}.`)
  return { url }
}

const startService = async ({
  flavour,
  dir,
  port,
}: Extract<StageRequest, { do: 'startService' }>): Promise<StageAnswers['startService']> => {
  const { url, workspaceId, apiKey, close } = await startFlavour(flavour, dir, port)
  running.set(dir, close)
  return { url, workspaceId, apiKey }
}

const stop = async (dir: string): Promise<null> => {
  const close = running.get(dir)
  running.delete(dir)
  await close?.()
  return null
}

const answer = async (request: StageRequest): Promise<unknown> => {
  if (request.do === 'startHost') return startHost(request.dataDir)
  if (request.do === 'addressOf') return addressOf(request.dataDir)
  return request.do === 'startService' ? startService(request) : stop(request.dir)
}

process.on('message', ({ id, request }: { id: number; request: StageRequest }) => {
  answer(request).then(
    (value) => process.send?.({ id, value }),
    (error: unknown) => process.send?.({ id, problem: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  )
})
// The worker ended, however it ended.
process.once('disconnect', () => process.exit(0))
