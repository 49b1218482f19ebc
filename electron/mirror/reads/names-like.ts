import { sql } from 'kysely'
import type { Mirror } from '../mirror.ts'

/** LIKE with the user's text taken literally. */
const literal = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** The first variables of an environment with `text` in their names (case-insensitive for ASCII), those that begin with it first. */
export function namesLike(
  { read }: Mirror,
  environmentId: string,
  text: string,
  limit: number,
): Promise<{ name: string; is_secret: number | null }[]> {
  const begins = `${literal(text)}%`
  return read
    .selectFrom('working')
    .select(['name', 'is_secret'])
    .where('kind', '=', 'variable')
    .where('parent_id', '=', environmentId)
    .where(sql<boolean>`name LIKE ${`%${begins}`} ESCAPE '\\'`)
    .orderBy(sql`name LIKE ${begins} ESCAPE '\\'`, 'desc')
    .orderBy('name')
    .limit(limit)
    .$narrowType<{ name: string }>()
    .execute()
}
