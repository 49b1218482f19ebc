import { isMove, type Change, type RowKind } from './entry.ts'
import type { Fields } from './fields.ts'

/** The text that tells siblings apart: a variable's name, the slug of the others. */
export const naturalKey = (kind: RowKind, fields: Fields): string | null => (kind === 'variable' ? fields.name : fields.slug) ?? null

/** A natural key under a parent (local id; null: of a project). */
export interface Claim {
  parentId: string | null
  key: string
}

type Claiming = Pick<Change, 'kind' | 'rowKind' | 'patch' | 'base' | 'ancestors' | 'leaves'>

/** Returns the key that a change takes under its row's new parent, and the key that it frees under the present parent. Null: none. */
export function claimsOf(change: Claiming): { takes: Claim | null; frees: Claim | null } {
  const { rowKind, patch, base, ancestors, leaves } = change
  const claim = (parentId: string | undefined, key: string | null): Claim | null =>
    key === null ? null : { parentId: parentId ?? null, key }
  const taken = naturalKey(rowKind, isMove(change) ? { ...base, ...patch } : patch)
  return {
    takes: claim(ancestors[0], taken),
    frees: claim(leaves[0] ?? ancestors[0], base && naturalKey(rowKind, base)),
  }
}

/**
 * Returns both claims of `claimsOf` as a list. Two changes of different rows that share a claim must be sent in order, or a deletion by
 * name could hit the wrong record.
 */
export function touchedClaims(change: Claiming): Claim[] {
  const { takes, frees } = claimsOf(change)
  return [takes, frees].filter((claim) => claim !== null)
}
