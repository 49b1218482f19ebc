import type { Mirror } from '../mirror.ts'
import { compareParents } from './compare-names.ts'
import { firstSeqOf, syncColumns, type SyncColumns } from './sync-columns.ts'

export interface ParentColumns extends SyncColumns {
  id: string
  parent_id: string | null
  name: string
  slug: string
}

/** Returns all projects, or all environments, as the user sees them, in natural order of their names. Leaves out placeholders. */
export async function listParents({ read }: Mirror, kind: 'project' | 'environment'): Promise<ParentColumns[]> {
  const rows = await read
    .selectFrom('working as row')
    .leftJoin('queue as first', (join) => join.on('first.seq', '=', firstSeqOf('row.id')))
    .select(['row.id', 'row.parent_id', 'row.name', 'row.slug', ...syncColumns])
    .where('row.kind', '=', kind)
    .where('row.name', 'is not', null)
    .where('row.slug', 'is not', null)
    .orderBy('row.id')
    .$narrowType<{ name: string; slug: string }>()
    .execute()
  // SQLite has no natural order. The lists are short. The sort is stable: of two rows with the same name and slug the older one comes
  // first.
  return rows.toSorted(compareParents)
}
