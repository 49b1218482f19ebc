import type { Mirror } from '../mirror.ts'

export interface TagColumns {
  id: string
  tag: string | null
  key_id: string | null
}

/** Returns the equality tags of all values of an environment as the user sees them. */
export function valueTags({ read }: Mirror, environmentId: string): Promise<TagColumns[]> {
  return read
    .selectFrom('working')
    .select(['id', 'tag', 'key_id'])
    .where('kind', '=', 'variable')
    .where('parent_id', '=', environmentId)
    .execute()
}
