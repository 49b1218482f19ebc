import { sql, type Compilable, type Selectable } from 'kysely'
import type { Entry } from '../../queue/entry.ts'
import type { Mirror } from '../mirror.ts'
import { queueInOrder } from '../queue-layer.ts'
import { fromQueueColumns } from '../row-codec.ts'
import type { QueueTable } from '../schema.ts'
import type { Tx } from '../tx.ts'
import { takeTurns } from './take-turns.ts'

/** As many as are read in one go. Few, because each may hold megabytes. */
const few = 16

const first = queueInOrder.limit(sql.lit(few))

/**
 * Returns all entries of the queue in order, as they were at one moment, and lets other work run in between if they are many: 100,000 take a
 * second.
 */
export async function readQueue(mirror: Pick<Mirror, 'snapshot' | 'lasting'>): Promise<Entry[]> {
  const read = mirror.snapshot((tx) => tx.all(first).map(fromQueueColumns))
  return read.length < few ? read : mirror.lasting((tx) => readEntries(tx, queueInOrder))
}

/** Returns the entries that a query finds, and lets other work run in between. For `Mirror.lasting`: `tx` can read nothing else meanwhile. */
export async function readEntries(tx: Tx, query: Compilable<Selectable<QueueTable>>): Promise<Entry[]> {
  const turn = takeTurns()
  const entries: Entry[] = []
  for (const columns of tx.each(query)) {
    entries.push(fromQueueColumns(columns))
    await turn()
  }
  return entries
}
