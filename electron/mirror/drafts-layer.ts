import { sql } from 'kysely'
import { build, type Tx } from './tx.ts'
import { setState } from './workspace-state.ts'

const prefix = 'draft-'

/** Keeps the sealed unsaved typing of an environment's screen, or of a project's comparison; null: there is none any more. */
export const putDraft = (tx: Tx, placeId: string, sealed: string | null): void => setState(tx, `${prefix}${placeId}`, sealed)

/** All kept drafts, sealed. */
export const draftsIn = (tx: Tx): { placeId: string; sealed: string }[] =>
  tx.all(
    build
      .selectFrom('meta')
      .select([sql<string>`substr(key, ${prefix.length + 1})`.as('placeId'), 'value as sealed'])
      .where(sql<boolean>`key >= ${prefix} AND key < 'draft.'`),
  )
