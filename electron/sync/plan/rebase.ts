import type { Change, Conflict } from '../../queue/entry.ts'
import { changedFields, fieldNames, pickFields, sameField, type Fields } from '../../queue/fields.ts'
import { mergeRow } from '../merge.ts'

/**
 * What the server's present row means for an unsent change.
 * settle: the server already shows what the user wanted. keep: it still has to be sent, on this base.
 * conflict: the user has to choose.
 */
export type Rebased = { do: 'settle' } | { do: 'keep'; patch: Fields; base: Fields | null } | { do: 'conflict'; conflict: Conflict }

/** The server's row as it is now (null: there is none), and who changed it last. */
export interface Theirs {
  fields: Fields | null
  by: string | null
}

/**
 * Moves an unsent change onto the row the server shows now. The same rule serves a pull, a failed
 * If-Match, a taken name, and a request whose outcome is unknown: look first, then decide.
 */
export function rebaseChange(change: Change, theirs: Theirs): Rebased {
  if (change.kind === 'create') return rebaseCreate(change, theirs)
  if (change.kind === 'delete') return rebaseDelete(change, theirs)
  return rebaseUpdate(change, theirs)
}

function rebaseCreate(change: Change, { fields, by }: Theirs): Rebased {
  if (fields === null) return { do: 'keep', patch: change.patch, base: change.base }
  const same = fieldNames.every((name) => !known(change.patch, fields, name) || sameField(change.patch[name], fields[name]))
  return same ? { do: 'settle' } : { do: 'conflict', conflict: { kind: 'name-taken', theirs: fields, by } }
}

function rebaseDelete(change: Change, { fields, by }: Theirs): Rebased {
  if (fields === null) return { do: 'settle' }
  const base = change.base ?? {}
  const moved = change.base === null || fieldNames.some((name) => known(base, fields, name) && !sameField(base[name], fields[name]))
  if (moved) return { do: 'conflict', conflict: { kind: 'changed-remotely', theirs: fields, by } }
  return { do: 'keep', patch: change.patch, base: { ...base, ...fields } }
}

function rebaseUpdate(change: Change, { fields, by }: Theirs): Rebased {
  if (fields === null) return { do: 'conflict', conflict: { kind: 'deleted-remotely', theirs: null, by } }
  const base = change.base ?? {}
  const touched = fieldNames.filter((name) => change.patch[name] !== undefined)
  const { conflicts } = mergeRow(pickFields(base, touched), pickFields(change.patch, touched), pickFields(fields, touched))
  // Without a base the two were made apart, under one name.
  const kind = change.base === null ? 'name-taken' : 'fields'
  if (conflicts.length > 0) return { do: 'conflict', conflict: { kind, theirs: fields, by } }
  const moved: Fields = { ...base, ...fields }
  const patch = changedFields(fields, change.patch)
  return Object.keys(patch).length === 0 ? { do: 'settle' } : { do: 'keep', patch, base: moved }
}

/** Whether both sides say something about a field. */
const known = (mine: Fields, theirs: Fields, name: keyof Fields): boolean => mine[name] !== undefined && theirs[name] !== undefined
