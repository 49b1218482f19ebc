import { getBase } from '../../mirror/base-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { Change } from '../change.ts'

/** Where a change's row lives on the wire: slugs as the server knows them now. Null: a parent is not there yet. */
export interface WirePlace {
  project: string
  environment: string
}

/** The slugs above a change's row; empty texts where the kind has none. */
export function wirePlace(tx: Tx, change: Pick<Change, 'rowKind' | 'ancestors'>): WirePlace | null {
  const slugs = change.ancestors.map((id) => getBase(tx, id)?.fields.slug)
  if (slugs.some((slug) => slug === undefined)) return null
  const [nearest = '', above = ''] = slugs
  return change.rowKind === 'variable' ? { environment: nearest, project: above } : { project: nearest, environment: '' }
}
