import type { Change, Conflict } from '../../queue/entry.ts'
import { agree, changedFields, fieldNames, pickFields, sentFields, type Fields } from '../../queue/fields.ts'
import type { Bytes } from '../../queue/transition.ts'
import { mergeRow } from '../merge.ts'
import { conflictReason } from './conflict-reason.ts'
import type { Step } from './step.ts'

/** The remote side of a merge. */
export interface RemoteState {
  /** As `mergeableOf` gives them; null: the row is deleted. */
  fields: Fields | null
  /** Local ids of its parents, nearest first. */
  ancestors: readonly string[]
  /** Who changed it last. */
  by: string | null
}

/**
 * The result of rebasing an unsent change onto the remote row. confirm: the row already has the user's values. keep: the change still has
 * to be sent, on this base. conflict: the user has to choose.
 */
export type Rebased = { do: 'confirm' } | ({ do: 'keep' } & Required<Omit<Bytes, 'detail'>>) | { do: 'conflict'; conflict: Conflict }

type Unsent = Pick<Change, 'kind' | 'patch' | 'base' | 'ancestors' | 'leaves'>

/** Rebases an unsent change onto the remote row. The same rule serves a pull, a failed If-Match, a taken name and an unknown outcome. */
export function rebaseChange(change: Unsent, remote: RemoteState): Rebased {
  if (change.kind === 'create') return rebaseCreate(change, remote)
  return change.kind === 'delete' ? rebaseDelete(change, remote) : rebaseUpdate(change, remote)
}

function rebaseCreate(change: Unsent, { fields, by }: RemoteState): Rebased {
  const { patch, base, ancestors, leaves } = change
  if (fields === null) return { do: 'keep', patch, base, ancestors, leaves }
  if (agree(patch, fields)) return { do: 'confirm' }
  return { do: 'conflict', conflict: { kind: 'name-taken', remote: fields, by } }
}

function rebaseDelete(change: Unsent, { fields, ancestors, by }: RemoteState): Rebased {
  if (fields === null) return { do: 'confirm' }
  const { base } = change
  if (base === null || !agree(base, fields)) return { do: 'conflict', conflict: { kind: 'changed-remotely', remote: fields, by } }
  return { do: 'keep', patch: change.patch, base: { ...base, ...fields }, ancestors, leaves: [] }
}

function rebaseUpdate(change: Unsent, { fields, ancestors, by }: RemoteState): Rebased {
  if (fields === null) return { do: 'conflict', conflict: { kind: 'deleted-remotely', remote: null, by } }
  const base = change.base ?? {}
  // Others changed the value, or it was sealed again already: the reseal is done.
  const isDone = change.patch.value?.reseal === true && base.value?.sealed !== fields.value?.sealed
  const { value, ...others } = change.patch
  const wanted: Fields = isDone ? others : { ...others, ...(value !== undefined && { value }) }
  const touched = fieldNames.filter((name) => wanted[name] !== undefined)
  const { row, conflicts } = mergeRow(pickFields(base, touched), pickFields(wanted, touched), pickFields(fields, touched))
  // Without a base, both sides created a record of this name.
  const kind = change.base === null ? 'name-taken' : 'fields'
  if (conflicts.length > 0) return { do: 'conflict', conflict: { kind, remote: fields, by } }
  // Not all of `wanted`: the user may have set a value back to its former text, and then discarded the edit in between. That value must not
  // overwrite a colleague's.
  const patch = changedFields(fields, row ?? {})
  if (Object.keys(patch).length === 0) return { do: 'confirm' }
  const path = patch.parent === undefined ? { ancestors, leaves: [] } : { ancestors: change.ancestors, leaves: ancestors }
  return { do: 'keep', patch, base: { ...base, ...fields }, ...path }
}

/**
 * Rebases a row's unsent changes, in order, onto the remote row. The first one in conflict is parked. Later changes wait behind it. They
 * keep their base and take the row's present parents, so that they stay when a former parent is deleted. A create that meets a record
 * becomes a change of that record.
 */
export function rebaseAll(changes: readonly Change[], remote: RemoteState, newId: () => string): Step[] {
  const steps: Step[] = []
  let now = remote
  for (const [at, change] of changes.entries()) {
    const rebased = rebaseChange(change, now)
    if (rebased.do === 'conflict') {
      const parked: Step = { do: 'advance', entry: change, event: parkOn(change, now, rebased.conflict, newId) }
      return [...steps, parked, ...followRow(changes.slice(at + 1), pathOf(change, now.ancestors).ancestors, newId)]
    }
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

/** Returns the ancestors of a change, and those it leaves, for a row that is below `here`. */
export const pathOf = ({ patch, ancestors }: Change, here: readonly string[]): Required<Pick<Bytes, 'ancestors' | 'leaves'>> =>
  patch.parent === undefined ? { ancestors: here, leaves: [] } : { ancestors, leaves: here }

/**
 * Gives each of a row's later changes, in order, the parents that the row has before it. `from`: the parents before the first of these
 * changes.
 */
export function followRow(changes: readonly Change[], from: readonly string[], newId: () => string): Step[] {
  let here = from
  return changes.flatMap((change): Step[] => {
    const path = pathOf(change, here)
    here = path.ancestors
    const isSame = `${path.ancestors.join()} ${path.leaves.join()}` === `${change.ancestors.join()} ${change.leaves.join()}`
    return isSame ? [] : [{ do: 'advance', entry: change, event: { is: 'revise', id: newId(), ...path } }]
  })
}

function parkOn(change: Change, { fields, ancestors }: RemoteState, conflict: Conflict, newId: () => string) {
  // A create that met another record stays in that conflict, even if the record changes.
  const kind = change.conflict?.kind === 'name-taken' && change.base === null ? 'name-taken' : conflict.kind
  const parked = { conflict: { ...conflict, kind }, reason: conflictReason(kind), ...(fields !== null && pathOf(change, ancestors)) }
  if (change.kind !== 'create' || fields === null) return { is: 'park' as const, ...parked }
  return { is: 'bind' as const, id: newId(), patch: changedFields(fields, change.patch), ...parked }
}
