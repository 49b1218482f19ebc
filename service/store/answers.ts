import { idempotencyHours } from '../protocol/limits.ts'
import type { Db, Runner } from './store.ts'
import { prepared } from './store.ts'
import type { AnswerTable } from './tables.ts'
import { bytesOf } from './weigh.ts'
import { withoutTimeout } from './without-timeout.ts'
import type { Write } from './write.ts'

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

/**
 * Keeps the answer to a request that wrote something, replacing an expired one. Throws a 413 Refusal where the workspace has no room for it;
 * that undoes the request.
 */
export const keepAnswer = async (write: Write, row: Omit<AnswerTable, 'workspace_id'>): Promise<void> => {
  const { member_id, idempotency_key } = row
  const replaced = await write.kysely
    .deleteFrom('answers')
    .where('workspace_id', '=', write.workspaceId)
    .where('member_id', '=', member_id)
    .where('idempotency_key', '=', idempotency_key)
    .returning(bytesOf('body').as('bytes'))
    .execute()
  write.use({ bytes: Buffer.byteLength(row.body) - sum(replaced) })
  await write.kysely
    .insertInto('answers')
    .values({ ...row, workspace_id: write.workspaceId })
    .execute()
}

/** Drops the answers kept for a member. */
export const dropAnswersOf = async (write: Write, memberId: string): Promise<void> => {
  const dropped = await write.kysely
    .deleteFrom('answers')
    .where('workspace_id', '=', write.workspaceId)
    .where('member_id', '=', memberId)
    .returning(bytesOf('body').as('bytes'))
    .execute()
  write.use({ bytes: -sum(dropped) })
}

/** Answers kept before this time have expired at `now`: ISO 8601. */
const lastDropped = (now: number): string => new Date(now - lifeMs).toISOString()

/** The workspaces that have answers older than 24 hours. */
export const withOldAnswers = async (db: Runner, now: number): Promise<string[]> => {
  const rows = await db.kysely.selectFrom('answers').select('workspace_id').distinct().where('created_at', '<=', lastDropped(now)).execute()
  return rows.map(({ workspace_id }) => workspace_id)
}

/** Drops answers that are older than 24 hours. */
export const dropOldAnswers = async (write: Write, now: number): Promise<void> => {
  const dropped = await withoutTimeout(write)
    .kysely.deleteFrom('answers')
    .where('workspace_id', '=', write.workspaceId)
    .where('created_at', '<=', lastDropped(now))
    .returning(bytesOf('body').as('bytes'))
    .execute()
  write.use({ bytes: -sum(dropped) })
}

const sum = (rows: readonly { bytes: number }[]): number => rows.reduce((total, { bytes }) => total + bytes, 0)
