import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import type { Push } from '../../electron/bridge/contract.ts'
import type { Result } from '../../electron/bridge/result.ts'
import { drawNonce, prove } from './prove.ts'
import { allTables } from './query-tables.ts'

/**
 * connecting: never been through yet. lost: was through, trying again. refused: the host does not know this tab.
 * stranger: what answers could not prove to be the host that gave this tab its page, and was told nothing.
 */
export type SocketState = 'connecting' | 'open' | 'lost' | 'refused' | 'stranger'

export interface SocketBridge extends Bridge {
  readonly state: SocketState
  /** Calls `listener` with each new state until the returned function is called. */
  onState(listener: (state: SocketState) => void): () => void
  /** Tries again now instead of at the next turn. */
  retry(): void
  /** Ends the connection for good. */
  close(): void
}

export interface SocketBridgeOptions {
  /** `ws://127.0.0.1:1234/bridge` */
  url: string
  /** The secret that the host gave this tab. Both prove that they know it; it is never sent. */
  secret: string
  WebSocket?: typeof WebSocket
}

/** Pauses between attempts to connect again, in milliseconds; the last one repeats. */
export const reconnectPauses: readonly number[] = [200, 500, 1000, 2000, 5000]

/** Failed attempts before a host that never answered counts as refusing. */
const attemptsBeforeRefused = 3

/** Close codes by which a host says that it does not know this tab: "policy violation" (RFC 6455, 7.4.1), or a 401 or 403 of its own. */
const saysNo = (code: number) => code === 1008 || code === 4401 || code === 4403

const lostError: AppError = {
  kind: 'offline',
  message: 'The connection to Holdfast was lost before it answered. Once it’s back, check the result, then try again.',
}

type Waiting = { resolve: (result: Result<unknown>) => void }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const parse = (data: unknown): Record<string, unknown> | null => {
  if (typeof data !== 'string') return null
  try {
    const message: unknown = JSON.parse(data)
    return isObject(message) ? message : null
  } catch {
    return null
  }
}

/**
 * A `Bridge` over a WebSocket to the host that served this page.
 *
 * First host and page prove to each other that they know the secret (`electron/host/connect-socket.ts` has the messages): another program
 * may have taken the port since. Until the host has, it gets a random number and nothing else.
 * Then, page to host: `{id, kind, name, args}`; host to page: `{id, result}` or `{push}`.
 * Calls made while there is no connection wait for one as long as none was ever made, and fail as `offline` once it was
 * lost. Calls under way when it drops fail as `offline`. After a reconnect every table counts as changed.
 */
export const createSocketBridge = ({ url, secret, WebSocket: Socket = WebSocket }: SocketBridgeOptions): SocketBridge => {
  const pushListeners = new Set<(push: Push) => void>()
  const stateListeners = new Set<(state: SocketState) => void>()
  const waiting = new Map<number, Waiting>()
  let unsent: string[] = []
  let state: SocketState = 'connecting'
  let socket: WebSocket | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let nextId = 1
  let opened = 0
  const address = new URL(url).host

  const become = (next: SocketState) => {
    if (next === state) return
    state = next
    for (const listener of stateListeners) listener(next)
  }

  const failAll = () => {
    const calls = [...waiting.values()]
    waiting.clear()
    unsent = []
    for (const call of calls) call.resolve({ ok: false, error: lostError })
  }

  const tellPush = (push: Push) => {
    for (const listener of pushListeners) listener(push)
  }

  /** A message after the welcome. */
  const receive = (message: Record<string, unknown>) => {
    if (isObject(message.push)) {
      // The host is the same build as this page and sends nothing but the contract's pushes.
      tellPush(message.push as Push)
    } else if (typeof message.id === 'number' && isObject(message.result)) {
      const call = waiting.get(message.id)
      waiting.delete(message.id)
      call?.resolve(message.result as Result<unknown>)
    }
  }

  const end = (final: 'refused' | 'stranger') => {
    failAll()
    become(final)
  }

  const welcome = (current: WebSocket) => {
    attempt = 0
    opened += 1
    for (const message of unsent) current.send(message)
    unsent = []
    become('open')
    if (opened > 1) tellPush({ push: 'changed', workspaceId: null, tables: [...allTables] })
  }

  const connect = () => {
    clearTimeout(timer)
    const current = new Socket(url)
    socket = current
    const nonce = drawNonce()
    let step: 'challenge' | 'checking' | 'welcome' | 'calls' = 'challenge'
    const leaveStranger = () => {
      if (socket !== current) return
      socket = null
      current.close()
      end('stranger')
    }
    const answerChallenge = async (host: string, proof: string) => {
      const nonces = { tab: nonce, host, address }
      const [theirs, ours] = [await prove(secret, 'host', nonces), await prove(secret, 'tab', nonces)]
      if (socket !== current) return
      if (proof !== theirs) return leaveStranger()
      step = 'welcome'
      current.send(JSON.stringify({ proof: ours }))
    }
    current.onopen = () => current.send(JSON.stringify({ hello: nonce }))
    current.onmessage = (event) => {
      const message = parse(event.data)
      if (step === 'calls') {
        if (message !== null) receive(message)
      } else if (step === 'challenge' && typeof message?.challenge === 'string' && typeof message.proof === 'string') {
        step = 'checking'
        void answerChallenge(message.challenge, message.proof)
      } else if (step === 'welcome' && message?.welcome === true) {
        step = 'calls'
        welcome(current)
      } else leaveStranger()
    }
    current.onclose = (event) => {
      if (socket !== current) return
      socket = null
      if (saysNo(event.code) || (opened === 0 && attempt + 1 >= attemptsBeforeRefused)) return end('refused')
      if (opened > 0) {
        failAll()
        become('lost')
      }
      timer = setTimeout(connect, reconnectPauses[Math.min(attempt, reconnectPauses.length - 1)])
      attempt += 1
    }
  }

  const call = (kind: 'query' | 'command', name: string, args: unknown): Promise<Result<unknown>> =>
    new Promise((resolve) => {
      if (state !== 'open' && state !== 'connecting') {
        resolve({
          ok: false,
          error: { kind: 'offline', message: 'This tab isn’t connected to Holdfast right now. Try again in a moment.' },
        })
        return
      }
      const id = nextId++
      const message = JSON.stringify({ id, kind, name, args })
      waiting.set(id, { resolve })
      if (state === 'open') socket?.send(message)
      else unsent.push(message)
    })

  connect()

  return {
    // The host checks names and args, and answers in the contract's shapes.
    query: (name, args) => call('query', name, args) as ReturnType<Bridge['query']> as never,
    command: (name, args) => call('command', name, args) as ReturnType<Bridge['command']> as never,
    onPush(listener) {
      pushListeners.add(listener)
      return () => pushListeners.delete(listener)
    },
    get state() {
      return state
    },
    onState(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    retry() {
      if (socket !== null || state !== 'lost') return
      attempt = 0
      connect()
    },
    close() {
      clearTimeout(timer)
      const current = socket
      socket = null
      current?.close()
      failAll()
    },
  }
}
