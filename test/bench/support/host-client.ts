import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Queries, QueryName } from '../../../electron/bridge/contract.ts'
import { createSocketBridge } from '../../../src/lib/socket-bridge.ts'
import { NotMeasuredError } from './row.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** A running host, asked as a tab of the browser asks it. */
export interface HostClient {
  pid: number | undefined
  query<N extends QueryName>(name: N, args: Queries[N]['args']): Promise<Queries[N]['value']>
  end(): Promise<void>
}

/** How `npm run host` starts Node. */
const nodeArgs = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { host: string } }
  return scripts.host.split(' ').slice(1)
}

/** Starts the host of the build on a data folder, in a process of its own, and takes the place of its first tab. */
export const startHost = async (dataDir: string): Promise<HostClient> => {
  if (!existsSync(join(root, 'out/renderer')))
    throw new NotMeasuredError('run `npm run build` first: it is the built host that is measured.')
  const child = spawn(process.execPath, [...nodeArgs(), '--port', '0', '--data-dir', dataDir, '--no-open'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DBUS_SESSION_BUS_ADDRESS: '' },
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  const { origin, host } = new URL(url)
  const entered = await fetch(url, { redirect: 'manual', headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } })
  const secret = /name="holdfast-secret" content="([^"]+)"/.exec(await entered.text())?.[1]
  if (secret === undefined) throw new Error(`the host let nobody in: ${entered.status}`)
  const cookie = entered.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  class TabSocket extends WebSocket {
    constructor(address: string | URL) {
      // Node's own takes headers, which a browser sends by itself.
      super(address, { headers: { cookie, origin } } as never)
    }
  }
  const bridge = createSocketBridge({ url: `ws://${host}/bridge`, secret, page: 'bench', WebSocket: TabSocket })
  return {
    pid: child.pid,
    query: async (name, args) => {
      const result = await bridge.query(name, args)
      if (!result.ok) throw new Error(`${name}: ${result.error.message}`)
      return result.value
    },
    end: async () => {
      bridge.close()
      const ended = once(child, 'close')
      child.kill('SIGTERM')
      await ended
    },
  }
}
