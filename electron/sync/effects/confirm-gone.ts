import { ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { RemoteError } from '../../remote/remote.ts'
import type { BaseRow, Change } from '../change.ts'
import { applyGone } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { lookUp } from './look-up.ts'
import { wirePlace } from './places.ts'
import { applyContext } from './push-change.ts'

const order = { project: 0, environment: 1, variable: 2 }

/**
 * Removes rows that a full list did not show, each only after its own read says that it is not there:
 * a list can be cut short, a delete cannot be taken back. Parents first, so that a gone project costs one read.
 */
export async function confirmGone(deps: EngineDeps, absent: readonly BaseRow[]): Promise<Result<null, RemoteError>> {
  for (const row of absent.toSorted((a, b) => order[a.kind] - order[b.kind])) {
    const asked = deps.mirror.snapshot((tx) => {
      const ancestors: string[] = []
      for (let id = row.parentId; id !== null; id = getBase(tx, id)?.parentId ?? null) ancestors.push(id)
      const change = asUpdate(row, ancestors)
      return getBase(tx, row.id) === null ? null : { change, place: wirePlace(tx, change) }
    })
    if (asked === null || asked.place === null) continue
    const looked = await lookUp(deps.remote, deps.cipher, asked.change, row, asked.place)
    if (!looked.ok) return looked
    if (looked.value !== null) continue
    deps.mirror.write((tx) => applyGone(tx, row, null, applyContext(deps)))
    deps.onChange(['projects', 'environments', 'variables', 'queue'])
  }
  return ok(null)
}

/** A row as the subject of a look. */
const asUpdate = (row: BaseRow, ancestors: string[]): Change => ({
  seq: 0,
  id: '',
  kind: 'update',
  rowKind: row.kind,
  rowId: row.id,
  ancestors,
  patch: {},
  base: row.fields,
  state: 'queued',
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  conflict: null,
  createdAt: 0,
})
