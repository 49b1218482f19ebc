import { err, ok, type Result } from '../../../bridge/result.ts'
import { baseChildren, getBase } from '../../../mirror/base-layer.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import { checkAbove } from '../find-record.ts'
import type { EngineDeps } from '../engine-deps.ts'
import { everyRow } from '../look-up.ts'
import { isStillAt, wirePlace, type WirePlace } from '../places.ts'
import { applyList } from '../pull-lists.ts'
import { variableRow, type RemoteRow } from '../remote-row.ts'
import { writeGone } from '../write-gone.ts'
import { isNoList } from './act-ends.ts'

/** So many renames of what is above are followed. */
const maxMoves = 4

const moving: RemoteError = {
  kind: 'server-failed',
  outcome: 'unknown',
  status: 503,
  message: 'The environment is being renamed on the server. Holdfast will look again in a moment.',
}

/**
 * Brings what is mirrored of an environment (`ancestors`: its local id, and its project's) to what the server has now, as any pull
 * would. A server that lists no variables is asked for each name that is known here, and for `names`. `gone`: it was deleted there.
 */
export async function reReadEnvironment(
  deps: EngineDeps,
  ancestors: readonly string[],
  names: readonly string[],
): Promise<Result<'read' | 'gone', RemoteError>> {
  const [environmentId = ''] = ancestors
  for (let moves = 0; moves < maxMoves; moves += 1) {
    const { environment, place } = deps.mirror.snapshot((tx) => ({
      environment: getBase(tx, environmentId),
      place: wirePlace(tx, { rowKind: 'variable', ancestors }),
    }))
    if (environment === null || place === null) return ok('gone')
    const read = await readVariables(deps, environmentId, place, names)
    if (!read.ok && !isNoList(read.error)) return read
    if (read.ok && read.value.every((row) => row.parentRemoteId === environment.remoteId) && read.value.length > 0) {
      const failed = await applyList(deps, environmentId, read.value)
      return failed === null ? ok('read') : err(failed)
    }
    // Nothing found, or another's variables: is it the environment we know, under these slugs?
    const above = await checkAbove(deps, ancestors)
    if (!above.ok) return above
    const { value: stand } = above
    if (stand === 'moved') continue
    if (stand !== 'there') {
      writeGone(deps, stand)
      return ok('gone')
    }
    if (!deps.mirror.snapshot((tx) => isStillAt(tx, { rowKind: 'variable', ancestors }, place))) continue
    if (!read.ok) return read
    if (read.value.length > 0) continue
    const failed = await applyList(deps, environmentId, [])
    return failed === null ? ok('read') : err(failed)
  }
  return err(moving)
}

/** The variables of a place: all of them, or, where there is no list, those of a name that is known. */
async function readVariables(
  deps: EngineDeps,
  environmentId: string,
  place: WirePlace,
  names: readonly string[],
): Promise<Result<RemoteRow[], RemoteError>> {
  const listed = await everyRow(deps.remote, deps.cipher, 'variable', place)
  if (listed.ok || !isNoList(listed.error)) return listed
  const known = deps.mirror.snapshot((tx) => baseChildren(tx, environmentId)).flatMap((row) => row.fields.name ?? [])
  const rows: RemoteRow[] = []
  for (const name of new Set([...known, ...names])) {
    const read = await deps.remote.getVariable(place.project, place.environment, name)
    if (read.ok) rows.push(variableRow(read.value, deps.cipher))
    else if (read.error.kind !== 'missing') return read
  }
  return ok(rows)
}
