import { sql } from 'kysely'
import { reusable } from './reusable.ts'
import { build, type Tx } from './tx.ts'

const byNonce = reusable(({ nonce }: { nonce: string }) => build.selectFrom('superseded').select('seq').where('nonce', '=', nonce))

/** Whether another value has taken the place of the bound value that was sealed with this nonce. */
export const isSuperseded = (tx: Tx, nonce: string): boolean => tx.get(byNonce({ nonce })) !== undefined

/** Lets the values of a version come back: their user has asked for a rollback to it. */
export function forgiveVersion(tx: Tx, versionId: string): void {
  const saved = build
    .selectFrom('version_variables')
    .select(sql<string>`substr(sealed, 4, 16)`.as('nonce'))
    .where('version_id', '=', versionId)
  tx.run(build.deleteFrom('superseded').where('nonce', 'in', saved))
}
