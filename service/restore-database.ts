import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AnyRecord, ChangeAnswer, ChangeInput } from './protocol/changes.ts'
import { errorCodes } from './protocol/error-codes.ts'
import { bulkLimit } from './protocol/limits.ts'
import type { KnownRecord, RestoreData, Restored } from './protocol/thread.ts'
import { parseItem } from './routes/changes.ts'
import { applyChanges } from './store/apply-changes.ts'
import type { Actor } from './store/apply-changes.ts'
import { noteAudit } from './store/audit.ts'
import { bootstrap } from './store/bootstrap.ts'
import { isWholeCopy, listBackups } from './store/database-backups.ts'
import { restoreDeleted } from './store/deleted.ts'
import { selectOwner } from './store/keys.ts'
import { startNewHistory } from './store/new-history.ts'
import { databaseFile, openStore } from './store/open-store.ts'
import { inWorkspace } from './store/store.ts'
import type { Store } from './store/store.ts'
import { syncFolder } from './store/sync-folder.ts'
import { writeIn } from './store/write.ts'
import type { Write } from './store/write.ts'

/** Rounds in which names move out of each other's way; records that still conflict then are refused. */
const roundLimit = 6

/** Runs a write of the owner, who may do everything. */
type WriteAsOwner = <T>(work: (write: Write, owner: Actor & { email: string }) => Promise<T>) => Promise<T>

const writerOf = async (store: Store, workspaceId: string, at: string): Promise<WriteAsOwner> => {
  const [row] = await selectOwner(inWorkspace(store, workspaceId), {})
  if (row === undefined) throw new Error('the workspace has no owner')
  const owner = { memberId: row.member_id, roleId: row.role_id, email: row.email }
  return (work) => writeIn(store, workspaceId, { at, by: owner.email }, (write) => work(write, owner))
}

/**
 * Restores the projects and environments that the backup has as deleted and the app has seen since: with their ids, their versions and
 * everything in them. Their slugs may be taken, so each gets its id as its slug until its record is laid over it.
 */
const undelete = (write: WriteAsOwner, records: readonly KnownRecord[]): Promise<void> =>
  write(async (trx, owner) => {
    const deletions = await trx.kysely.selectFrom('deletions').select('id').where('workspace_id', '=', trx.workspaceId).execute()
    const deleted = new Set(deletions.map(({ id }) => id))
    for (const { id } of records) if (deleted.has(id)) await restoreDeleted(trx, owner.roleId, id, id)
  })

/** Applies the changes in order, each answered alone. */
const apply = async (write: WriteAsOwner, changes: readonly ChangeInput[]): Promise<ChangeAnswer[]> => {
  const answers: ChangeAnswer[] = []
  while (answers.length < changes.length) {
    const items = changes.slice(answers.length, answers.length + bulkLimit).map(parseItem)
    const applied = await write(async (trx, owner) => {
      const done = await applyChanges(trx, owner, items)
      noteAudit(trx, { email: owner.email, keyName: 'this computer' }, 'restore', done.events)
      return done.answers
    })
    answers.push(...applied)
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
const layOver = async (write: WriteAsOwner, records: readonly KnownRecord[]): Promise<number> => {
  const known = new Map(records.map((record) => [record.id, record]))
  let away: ChangeInput[] = []
  let waiting = records.map((record) => ({ record, change: record as ChangeInput }))
  for (let round = 0; round < roundLimit && waiting.length > 0; round++) {
    const answers = (await apply(write, [...away, ...waiting.map(({ change }) => change)])).slice(away.length)
    const next = new Map<string, (typeof waiting)[number]>()
    away = []
    for (const [index, { record, change }] of waiting.entries()) {
      const answer = answers[index]
      if (answer === undefined) throw new Error('a change was not answered')
      if (answer.status === 'done') {
        if (!isSame(answer.record, record)) next.set(record.id, { record, change: updateOf(record) })
        continue
      }
      // A variable that was deleted by itself is never restored: its id cannot be used again, its contents can.
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

/** Begins a new history of the database in a folder, and lays the records over it. Returns how many of them it refused. */
const fill = async (
  dataDir: string,
  at: string,
  { workspaceId: wanted, records }: Omit<RestoreData, 'do' | 'dataDir'>,
): Promise<number> => {
  const store = await openStore({ dataDir }, () => at)
  try {
    const { workspaceId } = await bootstrap(store, { at, mint: false, workspaceId: wanted, keyless: true, randomBytes })
    await startNewHistory(store, Date.parse(at), randomBytes)
    const write = await writerOf(store, workspaceId, at)
    await undelete(write, records)
    return await layOver(write, records)
  } finally {
    await store.close()
  }
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
  const refused = await fill(staging, new Date(now).toISOString(), { workspaceId, records })
  await syncToDisk(databaseFile(staging))

  const damaged = databaseFile(dataDir)
  const aside = join(dataDir, `damaged-${new Date(now).toISOString().replaceAll(':', '.')}`)
  await mkdir(aside, { recursive: true, mode: 0o700 })
  // The database first: a crash then leaves a missing database, never an older one without its log.
  for (const file of [damaged, `${damaged}-wal`, `${damaged}-shm`]) if (existsSync(file)) await rename(file, join(aside, basename(file)))
  await rename(databaseFile(staging), damaged)
  await syncFolder(dataDir)
  await rm(staging, { recursive: true, force: true })
  return { from, refused, aside }
}
