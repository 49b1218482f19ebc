import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { createService } from './app.ts'
import type { Service } from './app.ts'
import type { AnyRecord, ChangeAnswer, ChangeInput } from './protocol/changes.ts'
import { errorCodes } from './protocol/error-codes.ts'
import { bulkLimit } from './protocol/limits.ts'
import type { KnownRecord, RestoreData, Restored } from './protocol/thread.ts'
import { isWholeCopy, listBackups } from './store/database-backups.ts'
import { startNewHistory } from './store/new-history.ts'
import { databaseFile } from './store/open-store.ts'
import { noQuotas } from './store/usage.ts'

/** Rounds in which names move out of each other's way; records that still conflict then are refused. */
const roundLimit = 6

type Send = (changes: readonly ChangeInput[]) => Promise<ChangeAnswer[]>

const senderOf =
  ({ app }: Service, ownerKey: string): Send =>
  async (changes) => {
    const answers: ChangeAnswer[] = []
    for (let at = 0; at < changes.length; at += bulkLimit) {
      const payload = { changes: changes.slice(at, at + bulkLimit) }
      const reply = await app.inject({ method: 'POST', url: '/changes', headers: { authorization: `Bearer ${ownerKey}` }, payload })
      if (reply.statusCode !== 200) throw new Error(`The restored database answers ${reply.statusCode}.`)
      answers.push(...reply.json<{ data: { items: ChangeAnswer[] } }>().data.items)
    }
    return answers
  }

const isSame = (record: AnyRecord | null, known: KnownRecord): boolean => {
  const shown = record as Record<string, unknown> | null
  const isThere = known.resource !== 'variable' || shown?.['environmentId'] === known.parentId
  return shown !== null && isThere && Object.entries<unknown>(known.fields ?? {}).every(([name, value]) => shown[name] === value)
}

const updateOf = ({ resource, id, ...rest }: KnownRecord): ChangeInput => {
  const parentId = resource === 'variable' && 'parentId' in rest ? { parentId: rest.parentId } : {}
  return { op: 'update', resource, id, fields: { ...rest.fields, ...parentId } } as ChangeInput
}

/** A name that no other record has. */
const outOfTheWay = ({ resource, id }: KnownRecord): ChangeInput => {
  const fields = resource === 'variable' ? { name: id } : { slug: id }
  return { op: 'update', resource, id, fields } as ChangeInput
}

/**
 * Makes the service hold each of the records under its id: creates missing ones, changes those that differ, and deletes a record that has
 * the name of one of them under another id, because the app saw its deletion. Returns how many the service refused.
 */
const layOver = async (send: Send, records: readonly KnownRecord[]): Promise<number> => {
  const known = new Map(records.map((record) => [record.id, record]))
  let away: ChangeInput[] = []
  let waiting = records.map((record) => ({ record, change: record as ChangeInput }))
  for (let round = 0; round < roundLimit && waiting.length > 0; round++) {
    const answers = (await send([...away, ...waiting.map(({ change }) => change)])).slice(away.length)
    const next = new Map<string, (typeof waiting)[number]>()
    away = []
    for (const [index, { record, change }] of waiting.entries()) {
      const answer = answers[index]
      if (answer === undefined) throw new Error('a change was not answered')
      if (answer.status === 'done') {
        if (!isSame(answer.record, record)) next.set(record.id, { record, change: updateOf(record) })
        continue
      }
      // A deleted id cannot be reused; its contents can.
      next.set(record.id, { record, change: answer.code === errorCodes.gone ? { ...record, id: randomUUID() } : change })
      if (answer.code !== errorCodes.conflict || !answer.record) continue
      const holder = known.get(answer.record.id)
      if (holder === undefined) away.push({ op: 'delete', resource: record.resource, id: answer.record.id } as ChangeInput)
      else {
        away.push(outOfTheWay(holder))
        if (!next.has(holder.id)) next.set(holder.id, { record: holder, change: updateOf(holder) })
      }
    }
    waiting = [...next.values()]
  }
  return waiting.length
}

/** Opens the newest backup that is whole in `staging`, or an empty database; gives when the backup was made. */
const stageBackup = async (dataDir: string, staging: string): Promise<number | null> => {
  const file = databaseFile(staging)
  for (const backup of await listBackups(dataDir)) {
    await rm(staging, { recursive: true, force: true })
    await mkdir(staging, { recursive: true, mode: 0o700 })
    await copyFile(backup.file, file)
    if (isWholeCopy(file)) return backup.at
  }
  await rm(staging, { recursive: true, force: true })
  await mkdir(staging, { recursive: true, mode: 0o700 })
  return null
}

const syncToDisk = async (file: string): Promise<void> => {
  const handle = await open(file, 'r+')
  await handle.sync()
  await handle.close()
}

/**
 * Replaces a damaged or lost database: with the newest whole backup, updated with the records that the app has
 * seen, which may be newer. It begins a new history, so that the app reads everything again. The damaged files are kept in a folder
 * next to it. The new database is built in a staging folder and moved in one step: a crash before that changes nothing.
 */
export const restoreDatabase = async ({ dataDir, workspaceId, records }: RestoreData): Promise<Restored> => {
  const now = Date.now()
  const staging = join(dataDir, 'restoring')
  const from = await stageBackup(dataDir, staging)
  const ownerKey = randomBytes(32).toString('base64url')
  const service = await createService({
    storage: { dataDir: staging },
    requestsPerMinute: null,
    strangerRequestsPerMinute: null,
    quotas: noQuotas,
    openPages: false,
    workspaceId,
    ownerKey,
  })
  await startNewHistory(service.store, now, randomBytes)
  const refused = await layOver(senderOf(service, ownerKey), records).finally(() => service.close())
  await syncToDisk(databaseFile(staging))

  const damaged = databaseFile(dataDir)
  const aside = join(dataDir, `damaged-${new Date(now).toISOString().replaceAll(':', '.')}`)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  // The database first: a crash then leaves a missing database, never an older one without its log.
  for (const file of [damaged, `${damaged}-wal`, `${damaged}-shm`]) if (existsSync(file)) await rename(file, join(aside, basename(file)))
  await rename(databaseFile(staging), damaged)
  await rm(staging, { recursive: true, force: true })
  return { from, refused, aside }
}
