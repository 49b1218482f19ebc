import SqliteDatabase from 'better-sqlite3'

/** How many pages of the log that are not yet in the database make a checkpoint due: SQLite's own default, 4 MB. */
const duePages = 1000
/** From this length of the log on, SQLite makes a checkpoint in each commit: for commits without a turn between them. */
const longestLog = 4000

/**
 * Copies the log into the database in a turn of the event loop of its own, once it is long enough. SQLite would do it in the commit that
 * makes it too long, which then takes twice as long for a large value. `soon`: to be called after each commit.
 */
export function scheduleCheckpoints(writer: SqliteDatabase.Database): { soon(): void; end(): void } {
  writer.pragma(`wal_autocheckpoint = ${longestLog}`)
  let next: NodeJS.Immediate | null = null
  const checkpoint = () => {
    next = null
    try {
      const [state] = writer.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[]
      if (state !== undefined && state.log - state.checkpointed >= duePages) writer.pragma('wal_checkpoint(PASSIVE)')
    } catch (error) {
      // For example on a full disk. All that was committed is in the log, and after the next commit it is tried again.
      if (!(error instanceof SqliteDatabase.SqliteError)) throw error
    }
  }
  return {
    soon() {
      next ??= setImmediate(checkpoint)
    },
    end() {
      if (next !== null) clearImmediate(next)
      next = null
    },
  }
}
