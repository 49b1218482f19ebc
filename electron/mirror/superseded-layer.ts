import { sql } from 'kysely'
import { reusable } from './reusable.ts'
import { build, type Tx } from './tx.ts'

const byNonce = reusable(({ nonce }: { nonce: string }) => build.selectFrom('superseded').select('forgiven').where('nonce', '=', nonce))

/** Whether another value has taken the place of the bound value that was sealed with this nonce. */
export const isSuperseded = (tx: Tx, nonce: string): boolean => tx.get(byNonce({ nonce }))?.forgiven === 0

/** Lets the values of a version come back: their user has asked for a rollback to it. */
export function forgiveVersion(tx: Tx, versionId: string): void {
  const saved = build
    .selectFrom('version_variables')
    .select(sql<string>`substr(sealed, 4, 16)`.as('nonce'))
    .where('version_id', '=', versionId)
  tx.run(build.updateTable('superseded').set({ forgiven: 1 }).where('nonce', 'in', saved))
}

/** Local ids of the variables of an environment whose values have come back because their user asked for it. */
export const broughtBack = (tx: Tx, environmentId: string): string[] =>
  tx
    .all(
      build
        .selectFrom('base')
        .innerJoin('superseded', (join) => join.on(sql<boolean>`superseded.nonce = substr(base.sealed, 4, 16)`))
        .select('base.id')
        .where('base.parent_id', '=', environmentId)
        .where('base.kind', '=', 'variable')
        .where('superseded.forgiven', '=', 1),
    )
    .map(({ id }) => id)
