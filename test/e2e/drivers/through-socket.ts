import { createSocketBridge } from '../../../src/lib/socket-bridge.ts'
import type { Asking } from './make-workspace.ts'

/** Spends the address of a host and asks it what a tab would ask, without a page. */
export async function throughSocket<T>(address: string, work: (bridge: Asking) => Promise<T>): Promise<T> {
  const { origin } = new URL(address)
  const page = await (await fetch(address)).text()
  const secret = /<meta name="holdfast-secret" content="([^"]+)">/.exec(page)?.[1]
  if (secret === undefined) throw new Error(`There is no secret in the page at ${address}.`)
  class Tab extends WebSocket {
    constructor(url: string | URL) {
      // Node's takes headers too (undici's WebSocketInit); the host serves its own page alone.
      super(url, { headers: { origin } } as unknown as string[])
    }
  }
  const bridge = createSocketBridge({ url: `${origin.replace(/^http/, 'ws')}/bridge`, secret, page: 'driver', WebSocket: Tab })
  try {
    return await work(bridge)
  } finally {
    bridge.close()
  }
}
