import type { Mirror } from '../mirror.ts'
import type { Touch } from '../touch-log.ts'

/** How many variables each environment has; one without any may be missing. */
type Counts = ReadonlyMap<string, number>

interface Kept {
  /** All touches before this one are counted. */
  mark: number
  counts: Counts
}

/** The counts last read of each mirror. */
const keptOf = new WeakMap<Mirror, Kept>()

/**
 * Counts the variables of each environment as the user sees them. Counting 100,000 takes longer than all else a list does, and the page
 * asks for the list after every write: only the environments written to since the last time are counted again.
 */
export async function variableCounts(mirror: Mirror): Promise<Counts> {
  const kept = keptOf.get(mirror)
  // Marked before counting: what is written in between is counted twice rather than missed.
  const mark = mirror.touches.mark()
  const touches = kept === undefined ? null : mirror.touches.since(kept.mark)
  const counts = kept === undefined || touches === null ? await countAll(mirror) : await recount(mirror, kept.counts, touches)
  keptOf.set(mirror, { mark, counts })
  return counts
}

const counting = ({ read }: Mirror) =>
  read
    .selectFrom('working')
    .select(({ fn }) => ['parent_id', fn.countAll<number>().as('n')])
    .where('kind', '=', 'variable')
    .groupBy('parent_id')
    .$narrowType<{ parent_id: string }>()

const asMap = (rows: readonly { parent_id: string; n: number }[]): Counts => new Map(rows.map((row) => [row.parent_id, row.n]))

const countAll = async (mirror: Mirror): Promise<Counts> => asMap(await counting(mirror).execute())

/** The counts before these touches, with the environments of touched variables counted again. */
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
