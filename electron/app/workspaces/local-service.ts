import { Worker } from 'node:worker_threads'
import type {
  Damage,
  FromThread,
  KnownRecord,
  Restored,
  StartFailure,
  ThreadRequest,
  ToThread,
  ThreadData,
} from '../../../service/protocol/thread.ts'
import type { AppError } from '../../bridge/app-error.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import { NotSentError } from '../../remote/network-error.ts'
import type { AppDeps } from '../app-deps.ts'
import { diskError } from '../settings/disk-error.ts'
import { workerFile } from '../worker-file.ts'
import type { ServiceAccess } from './start-sync.ts'

export interface LocalServiceOptions {
  app: Pick<AppDeps, 'randomBytes' | 'log'>
  /** The folder of its data. */
  folder: string
  /** The id of the workspace that it creates if its database is new. */
  workspaceId: string
  /** Whether it may create a workspace. False once the mirror has records of the service, because an empty service would delete them. */
  mayBootstrap(): boolean
  /** Called when its database is found damaged. */
  onDamaged(): void
  /** The file that its thread runs. Default: the service. */
  entry?: URL
}

/** The service of a local workspace: a thread of this process. The first request starts it, and the first after its end starts it again. */
export interface LocalService {
  readonly access: ServiceAccess
  /** Set while its database is damaged or missing; it refuses requests then. */
  damage(): Damage | null
  /** Replaces a damaged database with the newest intact backup, and writes `records` over it. Call it while no requests are sent. */
  restore(records: readonly KnownRecord[]): Promise<Result<Restored, AppError>>
  /** Ends the thread after it has answered the requests that it began. The next request starts it again. */
  rest(): Promise<void>
  /** Like `rest`, but refuses later requests. */
  stop(): Promise<void>
}

type Answer = Extract<FromThread, { is: 'answer' }>

/** The running thread. Requests that it did not answer are rejected when it ends. */
interface Thread {
  send(request: Omit<ThreadRequest, 'id'>): Promise<Answer>
  /** The end of a thread that was told to stop; null: it was not. */
  ending(): Promise<void> | null
  stop(): Promise<void>
}

const stopMs = 10_000

/** Not a network address: requests to it go to the thread. */
const baseUrl = 'http://localhost'

const notRunning = 'This workspace’s service isn’t running. Restart Holdfast; your changes are kept.'
const isDamaged = 'The database of this workspace’s service is damaged. Restore it from a backup; your changes are kept.'

export const createLocalService = (options: LocalServiceOptions): LocalService => {
  const { app, folder, workspaceId } = options
  const ownerKey = Buffer.from(app.randomBytes(32)).toString('base64url')
  let thread: Thread | null = null
  let damage: Damage | null = null
  let stopped = false

  const onDamaged = (found: Damage): void => {
    const isNews = damage === null
    damage = found
    void thread?.stop()
    if (isNews) options.onDamaged()
  }

  const running = (): Thread => {
    if (stopped) throw new NotSentError(notRunning)
    if (damage !== null) throw new NotSentError(isDamaged)
    thread ??= startThread({ ...options, ownerKey }, onDamaged, () => (thread = null))
    return thread
  }

  return {
    access: {
      baseUrl,
      apiKey: ownerKey,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const { pathname, search } = new URL(request.url)
        const body = request.body === null ? null : await request.text()
        const headers = Object.fromEntries(request.headers)
        // A thread that is ending would not answer it.
        await thread?.ending()
        const answer = await running().send({ method: request.method, url: `${pathname}${search}`, headers, body })
        return new Response(hasNoBody(answer.status) ? null : answer.body, { status: answer.status, headers: answer.headers })
      },
    },
    damage: () => damage,
    async restore(records) {
      await thread?.stop()
      const restored = await runRestore({ dataDir: folder, workspaceId, records })
      if (restored.ok) damage = null
      return restored
    },
    async rest() {
      await thread?.stop()
    },
    async stop() {
      stopped = true
      await thread?.stop()
    },
  }
}

const hasNoBody = (status: number): boolean => status === 204 || status === 304

const startThread = (
  { app, folder, workspaceId, mayBootstrap, ownerKey, entry }: LocalServiceOptions & { ownerKey: string },
  onDamaged: (damage: Damage) => void,
  onExit: () => void,
): Thread => {
  const waiting = new Map<number, { resolve(answer: Answer): void; reject(why: Error): void }>()
  let count = 0
  let started = false
  let end = (): Error => new NotSentError(notRunning)

  const onFailed = (failure: StartFailure): void => {
    app.log('warn', 'The service of a local workspace did not start', { code: failure.code })
    end = () => new NotSentError(failure.damage === null ? sentenceOf(failure, folder) : isDamaged)
    if (failure.damage !== null) onDamaged(failure.damage)
  }
  const onMessage = (message: FromThread): void => {
    if (message.is === 'started') {
      started = true
      end = () => new Error('The service ended before it answered.')
    } else if (message.is === 'failed') onFailed(message.failure)
    else if (message.is === 'damaged') onDamaged(message.damage)
    else if (message.is === 'troubled') app.log('warn', message.message, { code: message.code })
    else if (message.is === 'answer') {
      waiting.get(message.id)?.resolve(message)
      waiting.delete(message.id)
    }
  }
  const data = { do: 'serve' as const, dataDir: folder, workspaceId, mayBootstrap: mayBootstrap(), ownerKey }
  const worker = startServiceThread(data, onMessage, entry)
  if (worker === null) throw new NotSentError(notRunning)
  const post = (message: ToThread) => worker.postMessage(message)
  let ending: Promise<void> | null = null
  worker.on('error', (error) => app.log('error', 'The service of a local workspace failed', { name: error.name }))
  const ended = endOf(worker).then(() => {
    onExit()
    for (const { reject } of waiting.values()) reject(end())
  })

  const stopThread = async (): Promise<void> => {
    // A thread that is still starting can be terminated: it has answered no request, and an interrupted transaction is rolled back.
    if (started) post({ do: 'close' })
    const deadline = setTimeout(() => void worker.terminate(), started ? stopMs : 0)
    await ended
    clearTimeout(deadline)
  }

  return {
    send: (request) =>
      new Promise((resolve, reject) => {
        const id = ++count
        waiting.set(id, { resolve, reject })
        post({ do: 'answer', request: { ...request, id } })
      }),
    ending: () => ending,
    stop: () => (ending ??= stopThread()),
  }
}

const endOf = (worker: Worker): Promise<void> => new Promise((resolve) => worker.once('exit', () => resolve()))

const runRestore = async (data: {
  dataDir: string
  workspaceId: string
  records: readonly KnownRecord[]
}): Promise<Result<Restored, AppError>> => {
  let outcome: Result<Restored, AppError> = err({ kind: 'service-not-started', message: notRestored })
  const worker = startServiceThread({ do: 'restore', ...data }, (message) => {
    if (message.is === 'restored') outcome = ok(message.restored)
    if (message.is === 'failed')
      outcome = err(diskError(message.failure, data.dataDir) ?? { kind: 'service-not-started', message: notRestored })
  })
  if (worker === null) return outcome
  worker.on('error', () => {})
  await endOf(worker)
  return outcome
}

const notRestored = 'The backup couldn’t be restored, and nothing was changed. Restart Holdfast, then try again.'

const sentenceOf = (failure: StartFailure, folder: string): string =>
  `This workspace’s service couldn’t start. ${diskError(failure, folder)?.message ?? failure.message} Your changes are kept.`

const serviceFile = workerFile(import.meta.url, 'service', '../../../service/worker.ts')

/** Starts a thread of the service; null: its file is missing. */
const startServiceThread = (data: ThreadData, onMessage: (message: FromThread) => void, entry: URL | null = serviceFile): Worker | null => {
  if (entry === null) return null
  const worker = new Worker(entry, { workerData: data, execArgv: [] })
  worker.on('message', onMessage)
  return worker
}
