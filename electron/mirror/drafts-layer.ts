import { sql } from 'kysely'
import { build, type Tx } from './tx.ts'
import { setState } from './workspace-state.ts'

const prefix = 'draft-'
const isDraft = sql<boolean>`key >= ${prefix} AND key < 'draft.'`
const placeId = sql<string>`substr(key, ${prefix.length + 1})`
/** The environment or project alone. */
const recordId = sql<string>`substr(key, ${prefix.length + 1}, instr(key || '/', '/') - ${prefix.length + 1})`

/** Stores the unsaved typing, sealed, of a page in a place; null: deletes it. */
export const putDraft = (tx: Tx, placeId: string, sealed: string | null): void => setState(tx, `${prefix}${placeId}`, sealed)

/** Gives a draft to another page. */
export const moveDraft = (tx: Tx, from: string, to: string): void =>
  void tx.run(
    build
      .updateTable('meta')
      .set({ key: `${prefix}${to}` })
      .where('key', '=', `${prefix}${from}`),
  )

/** Returns all drafts, sealed. */
export const draftsIn = (tx: Tx): { placeId: string; sealed: string }[] =>
  tx.all(
    build
      .selectFrom('meta')
      .select([placeId.as('placeId'), 'value as sealed'])
      .where(isDraft),
  )

/**
 * Returns the places with drafts whose environment or project is deleted. Until Holdfast ends, an undo can restore one whose deletion was not sent.
 */
export const lostDrafts = (tx: Tx, workspaceId: string): string[] =>
  tx
    .all(
      build
        .selectFrom('meta')
        .select(placeId.as('placeId'))
        .where(isDraft)
        .where(recordId, '!=', workspaceId)
        .where(recordId, 'not in', build.selectFrom('working').select('id'))
        .where(recordId, 'not in', build.selectFrom('base').select('id'))
        .where(recordId, 'not in', build.selectFrom('deleted').select('id')),
    )
    .map((draft) => draft.placeId)
