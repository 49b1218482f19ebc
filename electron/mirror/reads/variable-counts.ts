import { followTouches } from '../follow-touches.ts'
import type { Mirror } from '../mirror.ts'
import type { Touch } from '../touch-log.ts'

/** How many variables each environment has. An environment without variables may be missing. */
type Counts = ReadonlyMap<string, number>

const counting = ({ read }: Mirror) =>
  read
    .selectFrom('working')
    .select(({ fn }) => ['parent_id', fn.countAll<number>().as('n')])
    .where('kind', '=', 'variable')
    .groupBy('parent_id')
    .$narrowType<{ parent_id: string }>()

const asMap = (rows: readonly { parent_id: string; n: number }[]): Counts => new Map(rows.map((row) => [row.parent_id, row.n]))

async function countAll(mirror: Mirror): Promise<Counts> {
  return asMap(await counting(mirror).execute())
}

/** Returns the former counts, with the environments of touched variables counted again. */
async function recount(mirror: Mirror, counts: Counts, touches: readonly Touch[]): Promise<Counts> {
  const ids = new Set(touches.flatMap(({ kind, parentId }) => (kind === 'variable' && parentId !== null ? [parentId] : [])))
  if (ids.size === 0) return counts
  const now = asMap(
    await counting(mirror)
      .where('parent_id', 'in', [...ids])
      .execute(),
  )
  return new Map([...counts, ...[...ids].map((id) => [id, now.get(id) ?? 0] as const)])
}

/**
 * Counts the variables of each environment as the user sees them. Only environments that were written to since the last call are counted
 * again: the page reads this list after every write, and counting 100,000 variables takes longer than the rest of the list.
 */
export const variableCounts = (mirror: Mirror): Promise<Counts> => followed(mirror, null)

const followed = followTouches<Counts, null>(countAll, recount)
