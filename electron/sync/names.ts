import type { BaseRow, Change } from './change.ts'
import type { Fields } from './fields.ts'

/** The text a row is addressed by on the wire: a variable's name, a slug of the others. */
export const naturalKey = (kind: BaseRow['kind'], fields: Fields): string | null =>
  (kind === 'variable' ? fields.name : fields.slug) ?? null

/** The natural keys a change claims (`now`) and frees (`before`); null where it does neither. */
export function keysTouched(change: Pick<Change, 'kind' | 'rowKind' | 'patch' | 'base'>): { now: string | null; before: string | null } {
  return { now: naturalKey(change.rowKind, change.patch), before: change.base && naturalKey(change.rowKind, change.base) }
}

/**
 * The same as a list. Two changes under one parent that share one must be sent in order, or a delete
 * by name could hit the wrong record.
 */
export function touchedKeys(change: Pick<Change, 'kind' | 'rowKind' | 'patch' | 'base'>): string[] {
  const { now, before } = keysTouched(change)
  return [now, before].filter((key) => key !== null)
}
