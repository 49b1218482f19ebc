import { statSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createService } from './app.ts'
import type { Service } from './app.ts'
import type { Damage, FromThread, ServeData, StartFailure, ThreadData, ThreadRequest, ToThread } from './protocol/thread.ts'
import { restoreDatabase } from './restore-database.ts'
import { MissingWorkspaceError } from './store/bootstrap.ts'
import { backUpDaily, DamagedDatabaseError, isDamageCode, listBackups } from './store/database-backups.ts'
import { codeOf } from './store/error-code.ts'
import { databaseFile } from './store/open-store.ts'
import { noQuotas } from './store/usage.ts'

// The embedded service: a thread of the application, which starts this file by its address. It answers the requests that
// it is sent as messages and opens no port.

if (parentPort === null) throw new Error('service/worker.ts runs as a thread only')
const port = parentPort
const tell = (message: FromThread) => port.postMessage(message)

/** The first check of the whole database waits until the first screen is shown. */
const firstLookMs = 5_000
const lookMs = 3_600_000

const damageOf = async (dataDir: string): Promise<Damage> => ({ newestBackup: (await listBackups(dataDir))[0]?.at ?? null })

const failureOf = async (error: unknown, dataDir: string): Promise<StartFailure> => {
  const code = codeOf(error)
  const isDamage = error instanceof MissingWorkspaceError || error instanceof DamagedDatabaseError || (code !== null && isDamageCode(code))
  const message = error instanceof Error ? error.message : String(error)
  return { code, message, damage: isDamage ? await damageOf(dataDir) : null }
}

const answer = async ({ app }: Service, { id, method, url, headers, body }: ThreadRequest): Promise<number> => {
  const reply = await app.inject({ method: method as 'GET', url, headers, ...(body === null ? {} : { payload: body }) })
  const text = Object.entries(reply.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  tell({ is: 'answer', id, status: reply.statusCode, headers: Object.fromEntries(text), body: new Uint8Array(reply.rawPayload) })
  return reply.statusCode
}

/** An unreadable folder is not a missing database, and no reason to restore a backup. */
const isMissing = (file: string): boolean => {
  try {
    statSync(file)
    return false
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true
    throw error
  }
}

const openService = async ({ dataDir, workspaceId, mayBootstrap, ownerKey }: ServeData): Promise<Service> => {
  // SQLite would create an empty one.
  if (!mayBootstrap && isMissing(databaseFile(dataDir))) throw new MissingWorkspaceError('The database of the service is missing.')
  return createService({
    storage: { dataDir },
    requestsPerMinute: null,
    strangerRequestsPerMinute: null,
    quotas: noQuotas,
    openPages: false,
    workspaceId,
    mayBootstrap,
    ownerKey,
  })
}

const serve = async (data: ServeData): Promise<void> => {
  const service = await openService(data)
  let isLooking = false
  /** Copies the database once a day, and tells of damage. */
  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      await backUpDaily(service.store, data.dataDir, Date.now())
    } catch (error) {
      if (error instanceof DamagedDatabaseError) tell({ is: 'damaged', damage: await damageOf(data.dataDir) })
      else tell({ is: 'troubled', message: 'The database of a local workspace could not be backed up', code: codeOf(error) })
    }
    isLooking = false
  }
  const first = setTimeout(() => void look(), firstLookMs)
  const later = setInterval(() => void look(), lookMs)

  const begun = new Set<Promise<void>>()
  const close = async () => {
    clearTimeout(first)
    clearInterval(later)
    await Promise.allSettled(begun)
    await service.close()
    port.close()
  }
  port.on('message', (message: ToThread) => {
    if (message.do === 'close') return void close()
    const answering: Promise<void> = answer(service, message.request).then((status) => {
      begun.delete(answering)
      // A request that fails unexpectedly may have met damage: check.
      if (status >= 500) void look()
    })
    begun.add(answering)
  })
  tell({ is: 'started' })
}

const work = async (data: ThreadData): Promise<void> => {
  try {
    if (data.do === 'serve') await serve(data)
    else tell({ is: 'restored', restored: await restoreDatabase(data) })
  } catch (error) {
    tell({ is: 'failed', failure: await failureOf(error, data.dataDir) })
  }
}

void work(workerData as ThreadData)
