import type { Bridge } from '../../electron/bridge/bridge.ts'
import type { AppError } from '../../electron/bridge/app-error.ts'
import type { Push } from '../../electron/bridge/contract.ts'
import type { Result } from '../../electron/bridge/result.ts'
import { messageLimitBytes } from '../../electron/bridge/message-limit.ts'
import { drawNonce, prove } from './prove.ts'
import { allTables } from '../../electron/bridge/query-tables.ts'

/**
 * connecting: never connected yet. unanswered: the same, after some failed attempts. lost: was connected. All three try again. refused: the
 * host does not know this tab. stranger: what answers could not prove to be the host that gave this tab its page, and was told nothing.
 */
export type SocketState = 'connecting' | 'unanswered' | 'open' | 'lost' | 'refused' | 'stranger'

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
  /** The id of this page. */
  page: string
  WebSocket?: typeof WebSocket
}

/** Pauses between attempts to connect again, in milliseconds; the last one repeats. */
export const reconnectPauses: readonly number[] = [200, 500, 1000, 2000, 5000]

/** Failed attempts before the user is told. The host may answer later: another program can take all of its places for a while. */
const attemptsBeforeUnanswered = 3

/** Close codes by which a host says that it does not know this tab: "policy violation" (RFC 6455, 7.4.1), or a 401 or 403 of its own. */
const saysNo = (code: number) => code === 1008 || code === 4401 || code === 4403

const lostError: AppError = {
  kind: 'offline',
  message: 'The connection to Holdfast was lost before it answered. Once it’s back, check the result, then try again.',
}

const notConnected: AppError = {
  kind: 'offline',
  message: 'This tab isn’t connected to Holdfast right now. Try again in a moment.',
}

const tooLong: AppError = {
  kind: 'invalid-input',
  message: `Holdfast in a browser takes at most ${messageLimitBytes / 1024 ** 2} MiB at once. Use the desktop app for this.`,
}

/** A character is at most three bytes. */
const isTooLong = (message: string) => message.length * 3 > messageLimitBytes && new Blob([message]).size > messageLimitBytes

const parse = (data: unknown): Record<string, unknown> | null => {
  if (typeof data !== 'string') return null
  try {
    const message = JSON.parse(data) as Record<string, unknown> | null
    return typeof message === 'object' ? message : null
  } catch {
    return null
  }
}

/**
 * The address of the bridge for a page at `location`. Never by the name localhost: browsers try ::1 first for it, where another user's program
 * could listen and pass on to the host what both sides prove to each other.
 */
export const bridgeAddress = ({ host }: Pick<Location, 'host'>): string => `ws://${host.replace(/^localhost(?=:|$)/, '127.0.0.1')}/bridge`

interface ConnectionEvents {
  /** Both sides have proved that they know the secret. */
  onwelcome: () => void
  /** A message after that. */
  onmessage: (message: Record<string, unknown>) => void
  /** The other side could not prove it: it was told nothing, and the connection is closed. */
  onstranger: () => void
  onclose: (code: number) => void
}

interface Connection {
  send(message: string): void
  /** Closes it; no event follows. */
  close(): void
}

/**
 * One connection to the host. First host and page prove to each other that they know the secret (`electron/host/connect-socket.ts` has the
 * messages): another program may have taken the port since. Until the host has, it gets a random number and nothing else.
 */
const openConnection = (
  { url, secret, page, WebSocket: Socket = WebSocket }: SocketBridgeOptions,
  { onwelcome, onmessage, onstranger, onclose }: ConnectionEvents,
): Connection => {
  const socket = new Socket(url)
  const nonce = drawNonce()
  let step: 'challenge' | 'checking' | 'welcome' | 'calls' | 'over' = 'challenge'
  const close = () => {
    step = 'over'
    socket.close()
  }
  const leaveStranger = () => {
    close()
    onstranger()
  }
  const answerChallenge = async (host: string, proof: string) => {
    const nonces = { tab: nonce, host, address: new URL(url).host }
    const [theirs, ours] = [await prove(secret, 'host', nonces), await prove(secret, 'tab', nonces)]
    if (step !== 'checking') return
    if (proof !== theirs) return leaveStranger()
    step = 'welcome'
    socket.send(JSON.stringify({ proof: ours, page }))
  }
  socket.onopen = () => socket.send(JSON.stringify({ hello: nonce }))
  socket.onmessage = (event) => {
    if (step === 'over') return
    const message = parse(event.data)
    if (step === 'calls') {
      if (message !== null) onmessage(message)
    } else if (step === 'challenge' && typeof message?.challenge === 'string' && typeof message.proof === 'string') {
      step = 'checking'
      void answerChallenge(message.challenge, message.proof)
    } else if (step === 'welcome' && message?.welcome === true) {
      step = 'calls'
      onwelcome()
    } else leaveStranger()
  }
  socket.onclose = (event) => {
    if (step === 'over') return
    step = 'over'
    onclose(event.code)
  }
  return { send: (message) => socket.send(message), close }
}

interface LineEvents {
  /** A connection was made; `isFirst`: for the first time. */
  onopen: (isFirst: boolean) => void
  onmessage: (message: Record<string, unknown>) => void
  /** The connection broke, and is tried again. */
  onlost: () => void
  /** The first connection could not be made for some attempts, and is tried again. */
  onunanswered: () => void
  /** It is not tried again. */
  onend: (why: 'refused' | 'stranger') => void
}

interface Line extends Connection {
  /** Tries again now instead of at the next turn. */
  retry(): void
}

/** Connects to the host, and again whenever the connection breaks, until the host refuses. */
const keepConnected = (options: SocketBridgeOptions, { onopen, onmessage, onlost, onunanswered, onend }: LineEvents): Line => {
  let connection: Connection | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let attempt = 0
  let wasOpen = false

  const connect = () => {
    clearTimeout(timer)
    connection = openConnection(options, {
      onwelcome() {
        const isFirst = !wasOpen
        attempt = 0
        wasOpen = true
        onopen(isFirst)
      },
      onmessage,
      onstranger() {
        connection = null
        onend('stranger')
      },
      onclose(code) {
        connection = null
        if (saysNo(code)) return onend('refused')
        timer = setTimeout(connect, reconnectPauses[Math.min(attempt, reconnectPauses.length - 1)])
        attempt += 1
        if (wasOpen) onlost()
        else if (attempt >= attemptsBeforeUnanswered) onunanswered()
      },
    })
  }

  connect()
  return {
    send: (message) => connection?.send(message),
    retry() {
      if (connection !== null) return
      attempt = 0
      connect()
    },
    close() {
      clearTimeout(timer)
      connection?.close()
      connection = null
    },
  }
}

/** The calls that wait for an answer, or for a connection. */
class WaitingCalls {
  readonly #waiting = new Map<number, (result: Result<unknown>) => void>()
  #unsent: string[] = []
  #nextId = 1

  /** `send` is null while there is no connection: the call waits for one. */
  call(kind: 'query' | 'command', name: string, args: unknown, send: ((message: string) => void) | null): Promise<Result<unknown>> {
    return new Promise((resolve) => {
      const id = this.#nextId++
      const message = JSON.stringify({ id, kind, name, args })
      if (isTooLong(message)) return resolve({ ok: false, error: tooLong })
      this.#waiting.set(id, resolve)
      if (send === null) this.#unsent.push(message)
      else send(message)
    })
  }

  answer(id: number, result: Result<unknown>): void {
    const resolve = this.#waiting.get(id)
    this.#waiting.delete(id)
    resolve?.(result)
  }

  /** Returns the messages that wait for a connection, and forgets them. */
  takeUnsent(): string[] {
    const unsent = this.#unsent
    this.#unsent = []
    return unsent
  }

  failAll(error: AppError): void {
    const calls = [...this.#waiting.values()]
    this.#waiting.clear()
    this.#unsent = []
    for (const resolve of calls) resolve({ ok: false, error })
  }
}

class Listeners<T> {
  readonly #listeners = new Set<(news: T) => void>()

  /** Calls `listener` with all that is told until the returned function is called. */
  add(listener: (news: T) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  tell(news: T): void {
    for (const listener of this.#listeners) listener(news)
  }
}

/**
 * A `Bridge` over a WebSocket to the host that served this page. Page to host: `{id, kind, name, args}`; host to page: `{id, result}` or
 * `{push}`. Calls made before the first connection wait for it. When a connection is lost, the calls under way fail as `offline`, and so do
 * all others until the next one. After a reconnect every table counts as changed.
 */
export const createSocketBridge = (options: SocketBridgeOptions): SocketBridge => {
  const pushes = new Listeners<Push>()
  const states = new Listeners<SocketState>()
  const calls = new WaitingCalls()
  let state: SocketState = 'connecting'

  const become = (next: SocketState) => {
    if (next === state) return
    state = next
    states.tell(next)
  }
  const loseCalls = (next: SocketState) => {
    calls.failAll(lostError)
    become(next)
  }

  const line = keepConnected(options, {
    onopen(isFirst) {
      for (const message of calls.takeUnsent()) line.send(message)
      become('open')
      if (!isFirst) pushes.tell({ push: 'changed', workspaceId: null, tables: [...allTables] })
    },
    onmessage(message) {
      // The host is the same build as this page and sends nothing but answers and pushes of the contract.
      if ('push' in message) pushes.tell(message.push as Push)
      else calls.answer(message.id as number, message.result as Result<unknown>)
    },
    onlost: () => loseCalls('lost'),
    onunanswered: () => become('unanswered'),
    onend: loseCalls,
  })

  const call = (kind: 'query' | 'command', name: string, args: unknown): Promise<Result<unknown>> => {
    if (state !== 'open' && state !== 'connecting' && state !== 'unanswered') return Promise.resolve({ ok: false, error: notConnected })
    return calls.call(kind, name, args, state === 'open' ? line.send : null)
  }

  return {
    // The host checks names and args, and answers in the contract's shapes.
    query: (name, args) => call('query', name, args) as ReturnType<Bridge['query']> as never,
    command: (name, args) => call('command', name, args) as ReturnType<Bridge['command']> as never,
    onPush: (listener) => pushes.add(listener),
    get state() {
      return state
    },
    onState: (listener) => states.add(listener),
    retry() {
      if (state === 'lost' || state === 'unanswered') line.retry()
    },
    close() {
      line.close()
      calls.failAll(lostError)
    },
  }
}
