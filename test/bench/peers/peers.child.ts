import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { feedPages } from '../support/feed-pages.ts'
import { memoryOf, timed } from '../support/rounds.ts'
import type { Taken } from '../support/rounds.ts'

/** What a peer took for the first mirror, and the most memory of its process in megabytes. */
export interface PeerMirrored extends Taken {
  rows: number
  memory: number
}

type Variable = Record<string, unknown> & { id: string }

/** A store that rows can be put into. */
interface Peer {
  put(rows: Variable[]): unknown
  /** Resolves when everything that was put is as durable as the peer makes it. */
  finish(): Promise<unknown>
  count(): Promise<number>
}

// The packages are not installed with the project, so the compiler must not look for them.
const load = (name: string): Promise<unknown> => import(name)

const peers: Readonly<Record<string, (folder: string) => Promise<Peer>>> = {
  /** In memory, saved to SQLite in the end by its own persister, as JSON: 100,000 rows are too many for its other way. */
  tinybase: async (folder) => {
    interface Store {
      transaction(work: () => void): void
      setRow(table: string, id: string, row: object): void
      getRowCount(table: string): number
    }
    const { createStore } = (await load('tinybase')) as { createStore: () => Store }
    const { createBetterSqlite3Persister } = (await load('tinybase/persisters/persister-better-sqlite3')) as {
      createBetterSqlite3Persister: (store: Store, database: Database.Database, table: string) => { save(): Promise<unknown> }
    }
    const database = new Database(join(folder, 'tinybase.sqlite'))
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    const store = createStore()
    const persister = createBetterSqlite3Persister(store, database, 'tinybase')
    return {
      put: (rows) => store.transaction(() => rows.forEach(({ id, ...row }) => store.setRow('variables', id, row))),
      finish: () => persister.save(),
      count: async () => {
        const saved = database.prepare('select store from tinybase').pluck().get() as string
        return Object.keys((JSON.parse(saved) as [{ variables: object }])[0].variables).length
      },
    }
  },
  /** LevelDB, 1,000 documents at once. */
  pouchdb: async (folder) => {
    interface Pouch {
      bulkDocs(rows: object[]): Promise<unknown>
      info(): Promise<{ doc_count: number }>
      close(): Promise<void>
    }
    const { default: PouchDB } = (await load('pouchdb')) as { default: new (name: string) => Pouch }
    const database = new PouchDB(join(folder, 'pouch'))
    return {
      put: (rows) => database.bulkDocs(rows.map(({ id, ...row }) => ({ _id: id, ...row }))),
      finish: async () => undefined,
      count: async () => (await database.info()).doc_count,
    }
  },
  /** Its storage in memory: nothing is on the disk in the end. */
  rxdb: async () => {
    interface Collection {
      bulkInsert(rows: object[]): Promise<unknown>
      count(): { exec(): Promise<number> }
    }
    interface RxDatabase {
      addCollections(collections: object): Promise<{ variables: Collection }>
    }
    const { createRxDatabase } = (await load('rxdb')) as { createRxDatabase: (options: object) => Promise<RxDatabase> }
    const { getRxStorageMemory } = (await load('rxdb/plugins/storage-memory')) as { getRxStorageMemory: () => object }
    const database = await createRxDatabase({ name: 'bench', storage: getRxStorageMemory(), multiInstance: false })
    const text = { type: 'string' }
    const schema = {
      version: 0,
      primaryKey: 'id',
      type: 'object',
      properties: {
        id: { type: 'string', maxLength: 100 },
        ...Object.fromEntries(
          ['name', 'value', 'type', 'environmentId', 'createdAt', 'updatedAt', 'updatedBy', 'etag'].map((name) => [name, text]),
        ),
        isSecret: { type: 'boolean' },
      },
    }
    const { variables } = await database.addCollections({ variables: { schema } })
    return {
      put: (rows) => variables.bulkInsert(rows),
      finish: async () => undefined,
      count: () => variables.count().exec(),
    }
  },
}

const [name = '', url = '', apiKey = ''] = process.argv.slice(2)
const make = peers[name]
if (make === undefined) throw new Error(`there is no peer named ${name}`)
const folder = mkdtempSync(join(tmpdir(), 'holdfast-bench-'))
const peer = await make(folder)
const taken = await timed(async () => {
  for await (const { items } of feedPages(url, apiKey))
    await peer.put(items.flatMap(({ resource, record }) => (resource === 'variable' && record !== null ? [record as Variable] : [])))
  await peer.finish()
})
const mirrored: PeerMirrored = { ...taken, memory: memoryOf(process.pid, 'most'), rows: await peer.count() }
rmSync(folder, { recursive: true, force: true })
process.stdout.write(JSON.stringify(mirrored), () => process.exit(0))
