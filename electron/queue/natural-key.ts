import type { BaseRow, Change } from './entry.ts'
import type { Fields } from './fields.ts'

/** The text a row is addressed by on the wire: a variable's name, a slug of the others. */
export const naturalKey = (kind: BaseRow['kind'], fields: Fields): string | null =>
  (kind === 'variable' ? fields.name : fields.slug) ?? null

/** The natural keys a change claims (`now`) and frees (`before`); null where it does neither. */
export function keysTouched(change: Keyed): { now: string | null; before: string | null } {
  const before = change.base && naturalKey(change.rowKind, change.base)
  return { now: naturalKey(change.rowKind, change.patch), before: before ?? change.sought?.key ?? null }
}

type Keyed = Pick<Change, 'kind' | 'rowKind' | 'patch' | 'base' | 'sought'>

/**
 * The same as a list. Two changes under one parent that share one must be sent in order, or a delete
 * by name could hit the wrong record.
 */
export function touchedKeys(change: Keyed): string[] {
  const { now, before } = keysTouched(change)
  return [now, before].filter((key) => key !== null)
}
