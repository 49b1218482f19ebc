import { getBase } from '../../mirror/base-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Change, WirePlace } from '../../queue/entry.ts'

export type { WirePlace } from '../../queue/entry.ts'

/** The slugs above a change's row as the server knows them now; empty texts where the kind has none. Null: a parent is not there yet. */
export function wirePlace(tx: Tx, change: Pick<Change, 'rowKind' | 'ancestors'>): WirePlace | null {
  const slugs = change.ancestors.map((id) => getBase(tx, id)?.fields.slug)
  if (slugs.some((slug) => slug === undefined)) return null
  const [nearest = '', above = ''] = slugs
  return change.rowKind === 'variable' ? { environment: nearest, project: above } : { project: nearest, environment: '' }
}

/**
 * Whether a request to `place` went where base has it still. Another lane may have learned a new slug while it was on its way: then what it
 * did not find proves nothing, though everything above is there.
 */
export function isStillAt(tx: Tx, change: Pick<Change, 'rowKind' | 'ancestors'>, place: WirePlace): boolean {
  const now = wirePlace(tx, change)
  return now !== null && now.project === place.project && now.environment === place.environment
}
