import type { Kysely } from 'kysely'
import type { MirrorDatabase } from './schema.ts'
import type { TouchLog } from './touch-log.ts'
import type { Tx } from './tx.ts'

/** One workspace's SQLite file. Everything may read it through Kysely; only `write` writes it. */
export interface Mirror {
  readonly file: string
  /** Reads, on a connection that cannot write. Never `.transaction()`, never `.stream()`. */
  readonly read: Kysely<MirrorDatabase>
  /** The changes that `write` made to working rows. */
  readonly touches: TouchLog
  /**
   * The one writer: runs `work` in one synchronous transaction. When it returns, the commit is on disk (WAL, synchronous FULL), so a hole
   * in the log means damage, not a power cut. When it throws, nothing was written.
   */
  write<T>(work: (tx: Tx) => T): T
  /** Runs `work` on one consistent state of the file, synchronously; `work` must not write. */
  snapshot<T>(work: (tx: Tx) => T): T
  /** Like `snapshot`, for reads that are too long for one synchronous call. `work` sees one consistent state however long it takes. */
  lasting<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  close(): void
}
