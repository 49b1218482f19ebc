import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

const run = async (url: string, statements: string): Promise<void> => {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(statements)
  await client.end()
}

/** Makes an empty database, on the PostgreSQL of this run unless `server` is the URL of another, and gives its URL. */
export const createDatabase = async (server: string = inject('postgres')): Promise<string> => {
  const name = `test_${randomBytes(8).toString('hex')}`
  await run(server, `CREATE DATABASE ${name}`)
  return Object.assign(new URL(server), { pathname: `/${name}` }).href
}

/** Makes a database that nobody has open any more as it was when it was new. To make another one takes longer, and 8 MB of the disk. */
export const emptyDatabase = (url: string): Promise<void> => run(url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public')

/**
 * Makes a database as migrations leave it: with all tables and nothing in them, ready for the bootstrap of another service. To drop the tables and
 * to migrate again would take longer than most tests.
 */
export const emptyTables = (url: string): Promise<void> =>
  run(
    url,
    `BEGIN;
     SET LOCAL session_replication_role = replica;
     DO $$ DECLARE name text; BEGIN
       FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations' LOOP
         EXECUTE format('DELETE FROM %I', name);
       END LOOP;
     END $$;
     COMMIT`,
  )
