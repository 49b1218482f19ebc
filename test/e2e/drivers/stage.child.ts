import path from 'node:path'
import { createApp } from '../../../electron/app/create-app.ts'
import { createKeyStores } from '../../../electron/app/keys/create-key-stores.ts'
import { ensureBuilt } from '../../../electron/host/ensure-built.ts'
import { createHostServer } from '../../../electron/host/create-host-server.ts'
import { createDeps } from '../../../electron/shell/create-deps.ts'
import { openLog } from '../../../electron/shell/open-log.ts'
import { systemNetwork } from '../../../electron/shell/system-network.ts'
import { cheapDerivation } from '../../support/cheap-derivation.ts'
import { startFlavour } from '../../support/start-flavour.ts'
import type { StageAnswers, StageRequest } from './stage.ts'

/**
 * What `Stage` asks for, in one process for all tests of a worker: the browser host on one data folder after another, and services. Each is
 * put together from the parts that the programs themselves are made of. Passphrases of vaults cost less than in those programs, which the tests of
 * Electron and of hosts in processes of their own prove.
 */

const root = path.resolve(import.meta.dirname, '../../..')
/** As the host does: a page older than its sources is built anew before it is tested. */
const built = ensureBuilt(root)
const network = systemNetwork(process.env)
const running = new Map<string, () => Promise<void>>()

const startHost = async (dataDir: string): Promise<StageAnswers['startHost']> => {
  const page = await built
  if (!page.ok) throw new Error(page.error)
  const log = openLog(dataDir)
  const own = { dataDir, log, ...network }
  const stores = createKeyStores(dataDir, cheapDerivation)
  const made = await createApp(createDeps({ shell: 'browser', version: '0.0.0', ...own }), stores)
  if (!made.ok) throw new Error(made.error.message)
  const { promise: url, resolve: announce } = Promise.withResolvers<string>()
  const server = await createHostServer({ application: made.value, pageDir: path.join(root, 'out/renderer'), port: 0, log, announce })
  running.set(dataDir, async () => {
    await server.close()
    await made.value.close()
  })
  return { url: await url }
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

const answer = (request: StageRequest): Promise<unknown> => {
  if (request.do === 'startHost') return startHost(request.dataDir)
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
