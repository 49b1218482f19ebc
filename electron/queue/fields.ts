/** A sealed value with what is needed to compare it without opening it. */
export interface SealedValue {
  /** `v1:` text as it goes over the wire. */
  sealed: string
  /** Keyed hash of the plaintext; null when the key does not open the value. */
  tag: string | null
  /** Which local key made `tag`; tags compare only under one id. */
  keyId: string
  /** Of a patch: the text stays, and is sealed anew when it is sent. */
  reseal?: true
}

/** The fields a merge looks at. One that is absent is unknown: the service never said, and it is not merged. */
export interface Fields {
  /** Local id of the parent: only in changes and in what they are merged with (`mergeableOf`), never in a row. */
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
 * Whether two field values are known to be equal. Sealed values are equal when their bytes are, or
 * when their tags are under one key; unequal bytes alone prove nothing, because the IV is random, so
 * two values that cannot be compared count as different: asking the user costs less than losing an edit.
 */
export function sameField(a: unknown, b: unknown): boolean {
  if (isSealedValue(a) && isSealedValue(b)) {
    // What is to be sealed anew is never there already.
    if (a.reseal === true || b.reseal === true) return false
    return a.sealed === b.sealed || (a.tag !== null && a.tag === b.tag && a.keyId === b.keyId)
  }
  return a === b
}

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

/** What a merge looks at of a row: its fields, and of a variable where it lives. */
export const mergeableOf = ({ kind, parentId, fields }: { kind: string; parentId: string | null; fields: Fields }): Fields =>
  kind === 'variable' && parentId !== null ? { ...fields, parent: parentId } : fields

/** Whether a patch says nothing new: its value is sealed anew as it is, which nobody typed. */
export const isOnlyReseal = (patch: Fields): boolean => patch.value?.reseal === true && Object.keys(patch).length === 1

/** The fields that a patch leaves once it is sent: a value is as it is, not to be sealed anew. */
export function sentFields(patch: Fields): Fields {
  if (patch.value?.reseal !== true) return patch
  const { sealed, tag, keyId } = patch.value
  return { ...patch, value: { sealed, tag, keyId } }
}
