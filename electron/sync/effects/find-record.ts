import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { RemoteError } from '../../remote/remote.ts'
import type { BaseRow, Change } from '../../queue/entry.ts'
import { aLook } from './a-look.ts'
import { applyUpsert } from './apply-theirs.ts'
import { applyContext } from './apply-context.ts'
import type { EngineDeps } from './engine-deps.ts'
import { lookUp } from './look-up.ts'
import { isStillAt, wirePlace, type WirePlace } from './places.ts'
import type { RemoteRow } from './remote-row.ts'

/**
 * found: the record as it is now, or null when it is gone while everything above it stands where it was looked for.
 * parentGone: what it belongs to is not on the server any more. unplaced: a parent has never been there.
 */
export type Found =
  | { do: 'found'; row: RemoteRow | null; base: BaseRow | null; place: WirePlace }
  | { do: 'parentGone'; parent: BaseRow }
  | { do: 'unplaced' }

/** So many renames of a parent while one record is looked for are followed; then it is looked for another time. */
const maxMoves = 4

/** Concerns this record alone, and must not stop the round: what it waits for may be the next change that is looked at. */
const moving: RemoteError = {
  kind: 'server-failed',
  outcome: 'unknown',
  status: 503,
  message: 'What this belongs to is being renamed on the server. Holdfast will look again in a moment.',
}

/**
 * Reads the record a change is about. Not finding it proves nothing until its project and environment are seen to be
 * the ones we know under the slugs we used: a slug may have been renamed, or given to another since.
 */
export async function findRecord(deps: EngineDeps, change: Change): Promise<Result<Found, RemoteError>> {
  for (let moves = 0; moves < maxMoves; moves += 1) {
    const { base, place } = deps.mirror.snapshot((tx) => ({ base: getBase(tx, change.rowId), place: wirePlace(tx, change) }))
    if (place === null) return ok({ do: 'unplaced' })
    const looked = await lookUp(deps.remote, deps.cipher, change, base, place)
    if (!looked.ok) return looked
    const { value: row } = looked
    if (row !== null && isBelow(deps, row, change.ancestors[0])) return ok({ do: 'found', row, base, place })
    const above = await checkAbove(deps, change.ancestors)
    if (!above.ok) return above
    const { value: stand } = above
    if (stand === 'there' && deps.mirror.snapshot((tx) => isStillAt(tx, change, place))) return ok({ do: 'found', row: null, base, place })
    if (isGone(stand)) return ok({ do: 'parentGone', parent: stand })
  }
  return err(moving)
}

/** By name alone a record of another environment is found too, when that one has the slug of ours by now. */
const isBelow = (deps: EngineDeps, row: RemoteRow, parentId: string | undefined): boolean =>
  parentId === undefined || deps.mirror.snapshot((tx) => getBase(tx, parentId))?.remoteId === row.parentRemoteId

/** How the rows above a record stand on the server; a row: that one is gone. */
export type Stand = 'there' | 'moved' | BaseRow

/** Whether something above is gone, and which it is. */
export const isGone = (stand: Stand): stand is BaseRow => stand !== 'there' && stand !== 'moved'

/**
 * Whether the rows above (local ids, nearest first) are on the server under the slugs that base has. One that moved is
 * written to base; one that is gone is named, the topmost first.
 */
export async function checkAbove(deps: EngineDeps, ancestors: readonly string[]): Promise<Result<Stand, RemoteError>> {
  for (const [depth, id] of ancestors.toReversed().entries()) {
    const rest = ancestors.slice(ancestors.length - depth)
    const { parent, place } = deps.mirror.snapshot((tx) => {
      const parent = getBase(tx, id)
      return { parent, place: parent && wirePlace(tx, { rowKind: parent.kind, ancestors: rest }) }
    })
    if (parent === null || place === null) return ok('moved')
    const looked = await lookUp(deps.remote, deps.cipher, aLook(parent, rest), parent, place)
    if (!looked.ok) return looked
    const { value: row } = looked
    if (row === null) return rest.length === 0 ? ok(parent) : stillGone(deps, parent, rest, place)
    if (row.fields.slug === parent.fields.slug) continue
    deps.mirror.write((tx) => applyUpsert(tx, row, rest[0] ?? null, applyContext(deps)))
    deps.onChange(['projects', 'environments', 'queue'])
    return ok('moved')
  }
  return ok('there')
}

/** A row that was not found below its parent: gone, unless that parent has been given another slug since it was seen there. */
async function stillGone(
  deps: EngineDeps,
  row: BaseRow,
  above: readonly string[],
  place: WirePlace,
): Promise<Result<'moved' | BaseRow, RemoteError>> {
  const stand = await checkAbove(deps, above)
  if (!stand.ok) return stand
  if (stand.value !== 'there') return ok(stand.value)
  return ok(deps.mirror.snapshot((tx) => isStillAt(tx, { rowKind: row.kind, ancestors: above }, place)) ? row : 'moved')
}
