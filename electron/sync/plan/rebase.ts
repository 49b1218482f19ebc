import type { Change, Conflict } from '../../queue/entry.ts'
import { changedFields, fieldNames, pickFields, sameField, sentFields, type Fields } from '../../queue/fields.ts'
import type { Bytes } from '../../queue/transition.ts'
import { mergeRow } from '../merge.ts'
import { conflictReason } from './conflict-reason.ts'
import type { Step } from './step.ts'

/** The remote side of a row. */
export interface RemoteState {
  /** As `mergeableOf` gives them; null: the row is deleted. */
  fields: Fields | null
  /** Local ids of where it lives, nearest first. */
  ancestors: readonly string[]
  /** Who changed it last. */
  by: string | null
}

/**
 * What the remote row means for an unsent change.
 * confirm: it already shows what the user wanted. keep: the change still has to be sent, on this base. conflict: the user has to choose.
 */
export type Rebased = { do: 'confirm' } | ({ do: 'keep' } & Required<Omit<Bytes, 'detail'>>) | { do: 'conflict'; conflict: Conflict }

/** Moves an unsent change onto the remote row. The same rule serves a pull, a failed If-Match, a taken name and an unknown outcome. */
export function rebaseChange(change: Change, remote: RemoteState): Rebased {
  if (change.kind === 'create') return rebaseCreate(change, remote)
  return change.kind === 'delete' ? rebaseDelete(change, remote) : rebaseUpdate(change, remote)
}

function rebaseCreate(change: Change, { fields, by }: RemoteState): Rebased {
  const { patch, base, ancestors, leaves } = change
  if (fields === null) return { do: 'keep', patch, base, ancestors, leaves }
  const isSame = fieldNames.every((name) => !areKnown(patch, fields, name) || sameField(patch[name], fields[name]))
  return isSame ? { do: 'confirm' } : { do: 'conflict', conflict: { kind: 'name-taken', remote: fields, by } }
}

function rebaseDelete(change: Change, { fields, ancestors, by }: RemoteState): Rebased {
  if (fields === null) return { do: 'confirm' }
  const base = change.base ?? {}
  const isOther = change.base === null || fieldNames.some((name) => areKnown(base, fields, name) && !sameField(base[name], fields[name]))
  if (isOther) return { do: 'conflict', conflict: { kind: 'changed-remotely', remote: fields, by } }
  return { do: 'keep', patch: change.patch, base: { ...base, ...fields }, ancestors, leaves: [] }
}

function rebaseUpdate(change: Change, { fields, ancestors, by }: RemoteState): Rebased {
  if (fields === null) return { do: 'conflict', conflict: { kind: 'deleted-remotely', remote: null, by } }
  const base = change.base ?? {}
  // Others gave it a value since, or it was sealed anew already: there is nothing left to seal anew.
  const isDone = change.patch.value?.reseal === true && base.value?.sealed !== fields.value?.sealed
  const { value, ...others } = change.patch
  const wanted: Fields = isDone ? others : { ...others, ...(value !== undefined && { value }) }
  const touched = fieldNames.filter((name) => wanted[name] !== undefined)
  const { conflicts } = mergeRow(pickFields(base, touched), pickFields(wanted, touched), pickFields(fields, touched))
  // Without a base the two were created apart, under one name.
  const kind = change.base === null ? 'name-taken' : 'fields'
  if (conflicts.length > 0) return { do: 'conflict', conflict: { kind, remote: fields, by } }
  const patch = changedFields(fields, wanted)
  if (Object.keys(patch).length === 0) return { do: 'confirm' }
  const path = patch.parent === undefined ? { ancestors, leaves: [] } : { ancestors: change.ancestors, leaves: ancestors }
  return { do: 'keep', patch, base: { ...base, ...fields }, ...path }
}

/** Whether both sides say something about a field. */
const areKnown = (local: Fields, remote: Fields, name: keyof Fields): boolean => local[name] !== undefined && remote[name] !== undefined

/**
 * Moves a row's unsent changes, in order, onto the remote row. The first that is in conflict is parked; later ones wait behind it,
 * untouched. A create that meets a record becomes a change of that one.
 */
export function rebaseAll(changes: readonly Change[], remote: RemoteState, newId: () => string): Step[] {
  const steps: Step[] = []
  let now = remote
  for (const change of changes) {
    const rebased = rebaseChange(change, now)
    if (rebased.do === 'conflict') return [...steps, { do: 'advance', entry: change, event: parkOn(change, now, rebased.conflict, newId) }]
    if (rebased.do === 'confirm') {
      steps.push({ do: 'advance', entry: change, event: { is: 'confirm' } })
      continue
    }
    const { do: _do, ...bytes } = rebased
    if (change.kind !== 'create') steps.push({ do: 'advance', entry: change, event: { is: 'rebase', id: newId(), ...bytes } })
    const ancestors = rebased.patch.parent === undefined ? now.ancestors : rebased.ancestors
    now = { ...now, fields: { ...now.fields, ...sentFields(rebased.patch) }, ancestors }
  }
  return steps
}

function parkOn(change: Change, { fields }: RemoteState, conflict: Conflict, newId: () => string) {
  // A create that met another record stays one that met it, whatever becomes of the record.
  const kind = change.conflict?.kind === 'name-taken' && change.base === null ? 'name-taken' : conflict.kind
  const parked = { conflict: { ...conflict, kind }, reason: conflictReason(kind) }
  if (change.kind !== 'create' || fields === null) return { is: 'park' as const, ...parked }
  return { is: 'bind' as const, id: newId(), patch: changedFields(fields, change.patch), ...parked }
}
