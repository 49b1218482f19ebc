import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'

/** Escapes the user's text for LIKE. */
export const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/**
 * Returns the first variables of an environment whose names contain `text` (case-insensitive for ASCII). Names that begin with it come
 * first.
 */
export function namesLike(
  { read }: Mirror,
  environmentId: string,
  text: string,
  limit: number,
): Promise<{ name: string; is_secret: number | null }[]> {
  const begins = `${escapeLike(text)}%`
  return read
    .selectFrom('working')
    .select(['name', 'is_secret'])
    .where('kind', '=', 'variable')
    .where('parent_id', '=', environmentId)
    .where(sql<boolean>`name LIKE ${`%${begins}`} ESCAPE '\\'`)
    .orderBy(sql`name LIKE ${begins} ESCAPE '\\'`, 'desc')
    .orderBy('name_key')
    .orderBy('name')
    .limit(limit)
    .$narrowType<{ name: string }>()
    .execute()
}
