import { existsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { FromThread, StartFailure, ThreadData, ThreadRequest, ToThread } from '../../../service/protocol/thread.ts'
import type { AppDeps } from '../app-deps.ts'
import { NotSentError } from '../../remote/not-sent-error.ts'
import { diskError } from '../settings/disk-error.ts'
import type { ServicePlace } from './start-sync.ts'

export interface LocalServiceOptions {
  app: Pick<AppDeps, 'randomBytes' | 'log'>
  /** Folder of its data. */
  folder: string
  /** The id of the workspace it makes where it has none. */
  workspaceId: string
  /** Whether it may make one: false once it has shown us records, because an empty service would take them away. */
  mayBootstrap(): boolean
  /** The file its thread runs; default: the service. */
  entry?: URL
}

/** The service of a local workspace: a thread of this process, started by the first request and again by the first after its end. */
export interface LocalService {
  readonly place: ServicePlace
  /** Ends the thread, after it answered what it had begun. Requests that come later are refused. */
  stop(): Promise<void>
}

type Answer = Extract<FromThread, { is: 'answer' }>

/** The running thread. Requests that it did not answer are rejected when it ends. */
interface Thread {
  send(request: Omit<ThreadRequest, 'id'>): Promise<Answer>
  stop(): Promise<void>
}

const stopMs = 10_000

/** Names no computer: requests to it go to the thread. */
const baseUrl = 'http://localhost'

/** The thread's file: beside or above this one in a build, else in the source. */
const serviceFile = ['./service.js', '../service.js', '../../../service/worker.ts']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

const notRunning = 'The service of this workspace is not running. Close Holdfast and start it again; your edits are kept.'

export const createLocalService = (options: LocalServiceOptions): LocalService => {
  const ownerKey = Buffer.from(options.app.randomBytes(32)).toString('base64url')
  let thread: Thread | null = null
  let stopped = false

  const running = (): Thread => {
    const entry = options.entry ?? serviceFile
    if (stopped || entry === undefined) throw new NotSentError(notRunning)
    thread ??= startThread(
      entry,
      { dataDir: options.folder, workspaceId: options.workspaceId, mayBootstrap: options.mayBootstrap(), ownerKey },
      options,
      () => (thread = null),
    )
    return thread
  }

  return {
    place: {
      baseUrl,
      apiKey: ownerKey,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const { pathname, search } = new URL(request.url)
        const body = request.body === null ? null : await request.text()
        const headers = Object.fromEntries(request.headers)
        const answer = await running().send({ method: request.method, url: `${pathname}${search}`, headers, body })
        return new Response(hasNoBody(answer.status) ? null : answer.body, { status: answer.status, headers: answer.headers })
      },
    },
    async stop() {
      stopped = true
      await thread?.stop()
    },
  }
}

const hasNoBody = (status: number): boolean => status === 204 || status === 304

const startThread = (entry: URL, workerData: ThreadData, { app, folder }: LocalServiceOptions, onExit: () => void): Thread => {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(why: Error): void }>()
  let count = 0
  let started = false
  let end = (): Error => new NotSentError(notRunning)
  const worker = new Worker(entry, { workerData, execArgv: [] })
  const post = (message: ToThread) => worker.postMessage(message)

  worker.on('message', (message: FromThread) => {
    if (message.is === 'started') {
      started = true
      end = () => new Error('The service ended before it answered.')
    } else if (message.is === 'failed') {
      app.log('warn', 'The service of a local workspace did not start', { code: message.failure.code })
      end = () => new NotSentError(sentenceOf(message.failure, folder))
    } else {
      waiting.get(message.id)?.resolve(message)
      waiting.delete(message.id)
    }
  })
  worker.on('error', (error) => app.log('error', 'The service of a local workspace failed', { name: error.name }))
  const ended = new Promise<void>((resolve) =>
    worker.once('exit', () => {
      onExit()
      for (const { reject } of waiting.values()) reject(end())
      resolve()
    }),
  )

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const id = ++count
        waiting.set(id, { resolve, reject })
        post({ do: 'answer', request: { ...request, id } })
      }),
    async stop() {
      // One that is still starting has answered nothing, and a transaction that is cut short was never there.
      if (started) post({ do: 'close' })
      const deadline = setTimeout(() => void worker.terminate(), started ? stopMs : 0)
      await ended
      clearTimeout(deadline)
    },
  }
}

const sentenceOf = (failure: StartFailure, folder: string): string =>
  `The service of this workspace could not start. ${diskError(failure, folder)?.message ?? failure.message} Your edits are kept meanwhile.`
