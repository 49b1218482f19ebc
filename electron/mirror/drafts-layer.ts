import { sql } from 'kysely'
import { build, type Tx } from './tx.ts'
import { setState } from './workspace-state.ts'

const prefix = 'draft-'
const isDraft = sql<boolean>`key >= ${prefix} AND key < 'draft.'`
const placeId = sql<string>`substr(key, ${prefix.length + 1})`

/** Keeps the sealed unsaved typing of an environment's screen, or of a project's comparison; null: there is none any more. */
export const putDraft = (tx: Tx, placeId: string, sealed: string | null): void => setState(tx, `${prefix}${placeId}`, sealed)

/** All kept drafts, sealed. */
export const draftsIn = (tx: Tx): { placeId: string; sealed: string }[] =>
  tx.all(
    build
      .selectFrom('meta')
      .select([placeId.as('placeId'), 'value as sealed'])
      .where(isDraft),
  )

/**
 * Drops the drafts of environments and projects that are deleted for good. Run when a workspace is opened: until Holdfast ends, an undo can
 * restore what was never sent.
 */
export function dropLostDrafts(tx: Tx): void {
  tx.run(
    build
      .deleteFrom('meta')
      .where(isDraft)
      .where(placeId, 'not in', build.selectFrom('working').select('id'))
      .where(placeId, 'not in', build.selectFrom('base').select('id'))
      .where(placeId, 'not in', build.selectFrom('deleted').select('id')),
  )
}
