/** A sealed value that can be compared without opening it. */
export interface SealedValue {
  /** `v1:` text as it goes over the wire. */
  sealed: string
  /** Keyed hash of the plaintext; null when the key does not open the value. */
  tag: string | null
  /** Which local key made `tag`; tags compare only under one id. */
  keyId: string
  /** In a patch: the plaintext stays the same, and is sealed again when the patch is sent. */
  reseal?: true
}

/** The fields that a merge compares. A missing field is unknown (the service never sent it) and is not merged. */
export interface Fields {
  /** Local id of the parent: only in changes and in the fields they are merged with (`mergeableOf`), never in a row. */
  parent?: string | undefined
  name?: string | undefined
  slug?: string | undefined
  value?: SealedValue | undefined
  type?: 'string' | 'number' | 'boolean' | undefined
  isSecret?: boolean | undefined
}

export type FieldName = keyof Fields

export const fieldNames: readonly FieldName[] = ['parent', 'name', 'slug', 'value', 'type', 'isSecret']

const isSealedValue = (value: unknown): value is SealedValue => typeof value === 'object' && value !== null && 'sealed' in value

/**
 * Whether two field values are known to be equal. Sealed values are equal if their bytes are equal, or if their tags are equal under one
 * key. Unequal bytes prove nothing, because the IV is random. Values that can't be compared count as different: asking the user costs less
 * than losing an edit.
 */
export function sameField(a: unknown, b: unknown): boolean {
  if (isSealedValue(a) && isSealedValue(b)) {
    // A value to be sealed again always differs: otherwise the reseal would count as already done.
    if (a.reseal === true || b.reseal === true) return false
    return a.sealed === b.sealed || (a.tag !== null && a.tag === b.tag && a.keyId === b.keyId)
  }
  return a === b
}

/** Whether two rows have equal values in every field that both know. */
export const agree = (a: Fields, b: Fields): boolean =>
  fieldNames.every((name) => a[name] === undefined || b[name] === undefined || sameField(a[name], b[name]))

/** Whether two states of a row are known to be the same in every field; null: it does not exist. */
export function sameFields(a: Fields | null, b: Fields | null): boolean {
  if (a === null || b === null) return a === b
  return fieldNames.every((name) => sameField(a[name], b[name]))
}

/** The characters of a value as it is sent; 0 without one. */
export const valueLength = (fields: Fields | null | undefined): number => fields?.value?.sealed.length ?? 0

/** Copies the named fields of `fields` that are known. */
export function pickFields(fields: Fields, names: readonly FieldName[]): Fields {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]))
}

/** The fields of `patch` that would change `fields`. */
export function changedFields(fields: Fields, patch: Fields): Fields {
  return pickFields(
    patch,
    fieldNames.filter((name) => patch[name] !== undefined && !sameField(fields[name], patch[name])),
  )
}

/** Returns the fields of a row that a merge compares; those of a variable include its parent. */
export const mergeableOf = ({ kind, parentId, fields }: { kind: string; parentId: string | null; fields: Fields }): Fields =>
  kind === 'variable' && parentId !== null ? { ...fields, parent: parentId } : fields

/** Returns the fields of a patch that the user edited: without a value that is only sealed again. */
export function editedFields(patch: Fields): Fields {
  if (patch.value?.reseal !== true) return patch
  const { value: _value, ...edited } = patch
  return edited
}

/** Whether a patch only seals a value again: the user typed nothing. */
export const isOnlyReseal = (patch: Fields): boolean => patch.value?.reseal === true && Object.keys(editedFields(patch)).length === 0

/** Returns the fields of a patch as they are once it is sent: without the mark to seal the value again. */
export function sentFields(patch: Fields): Fields {
  if (patch.value?.reseal !== true) return patch
  const { sealed, tag, keyId } = patch.value
  return { ...patch, value: { sealed, tag, keyId } }
}
