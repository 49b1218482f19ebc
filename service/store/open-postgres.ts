import { Kysely, PostgresDialect } from 'kysely'
import type { CustomTypesConfig } from 'pg'
import type { Store } from './store.ts'
import type { Tables } from './tables.ts'

const int8 = 20
const connectMs = 10_000
const idleInWriteMs = 30_000

/**
 * Connects to the PostgreSQL database at `url`. The driver is loaded only here, so that a service on
 * SQLite needs none. Rejects when the database cannot be reached.
 */
export const openPostgres = async (url: string): Promise<Store> => {
  const { default: pg } = await import('pg')
  const types: CustomTypesConfig = {
    // Sequence numbers and counts stay far below 2^53.
    getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === int8 ? Number : pg.types.getTypeParser(oid, format ?? 'text')),
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types,
    connectionTimeoutMillis: connectMs,
    // A process that hangs inside a write would hold the clock, and with it every other writer.
    idle_in_transaction_session_timeout: idleInWriteMs,
  })
  // A connection that breaks is replaced by the pool and fails what ran on it; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    await pool.end()
    throw error
  }
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { kind: 'postgres', kysely, compiled: new Map(), close: () => kysely.destroy() }
}
