import { parentPort, workerData } from 'node:worker_threads'
import { createService } from './app.ts'
import type { Service } from './app.ts'
import type { FromThread, StartFailure, ThreadData, ThreadRequest, ToThread } from './protocol/thread.ts'

// The embedded service: a thread of the application, which starts this file by its address. It answers the requests that
// it is sent as messages and opens no port.

if (parentPort === null) throw new Error('service/worker.ts runs as a thread only')
const port = parentPort
const tell = (message: FromThread) => port.postMessage(message)

const failureOf = (error: unknown): StartFailure => {
  const { code } = error as { code?: unknown }
  return { code: typeof code === 'string' ? code : null, message: error instanceof Error ? error.message : String(error) }
}

const answer = async ({ app }: Service, { id, method, url, headers, body }: ThreadRequest): Promise<void> => {
  const reply = await app.inject({ method: method as 'GET', url, headers, ...(body === null ? {} : { payload: body }) })
  const text = Object.entries(reply.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  tell({ is: 'answer', id, status: reply.statusCode, headers: Object.fromEntries(text), body: new Uint8Array(reply.rawPayload) })
}

const start = async (): Promise<Service | null> => {
  const { dataDir, ...rest } = workerData as ThreadData
  try {
    return await createService({ storage: { dataDir }, requestsPerMinute: null, openPages: false, ...rest })
  } catch (error) {
    tell({ is: 'failed', failure: failureOf(error) })
    return null
  }
}

const service = await start()
if (service !== null) {
  const begun = new Set<Promise<void>>()
  const close = async () => {
    await Promise.allSettled(begun)
    await service.close()
    port.close()
  }
  port.on('message', (message: ToThread) => {
    if (message.do === 'close') return void close()
    const answering = answer(service, message.request).finally(() => begun.delete(answering))
    begun.add(answering)
  })
  tell({ is: 'started' })
}
