import { idempotencyHours } from '../protocol/limits.ts'
import type { Db, Runner } from './store.ts'
import { prepared } from './store.ts'
import type { AnswerTable } from './tables.ts'

const select = prepared<{ memberId: string; key: string }, AnswerTable>((db, arg) =>
  db
    .selectFrom('answers')
    .selectAll()
    .where('workspace_id', '=', arg('workspace'))
    .where('member_id', '=', arg('memberId'))
    .where('idempotency_key', '=', arg('key')),
)

const lifeMs = idempotencyHours * 3_600_000

/** The answer that was given under this Idempotency-Key in the last 24 hours, or null. */
export const findAnswer = async (db: Db, memberId: string, key: string, now: number): Promise<AnswerTable | null> => {
  const [row] = await select(db, { memberId, key })
  return row === undefined || now - Date.parse(row.created_at) >= lifeMs ? null : row
}

/** Keeps an answer, in place of an expired one. */
export const keepAnswer = async (db: Db, row: Omit<AnswerTable, 'workspace_id'>): Promise<void> => {
  await db.kysely
    .deleteFrom('answers')
    .where('workspace_id', '=', db.workspaceId)
    .where('member_id', '=', row.member_id)
    .where('idempotency_key', '=', row.idempotency_key)
    .execute()
  await db.kysely
    .insertInto('answers')
    .values({ ...row, workspace_id: db.workspaceId })
    .execute()
}

/** Drops answers of all workspaces that are older than 24 hours. */
export const dropOldAnswers = async (db: Runner, now: number): Promise<void> => {
  await db.kysely
    .deleteFrom('answers')
    .where('created_at', '<=', new Date(now - lifeMs).toISOString())
    .execute()
}
