import { err, ok, type Result } from '../../bridge/result.ts'
import { getBase } from '../../mirror/base-layer.ts'
import type { RemoteError } from '../../remote/remote.ts'
import type { BaseRow } from '../../queue/entry.ts'
import { aLook } from './a-look.ts'
import { applyContext } from './apply-context.ts'
import { applyGone } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { checkAbove } from './find-record.ts'
import { everyRow, lookByKey } from './look-up.ts'
import { isStillAt, wirePlace } from './places.ts'

const order = { project: 0, environment: 1, variable: 2 }

/**
 * Removes rows that a full list did not show, each only after its own read says that it is not there: a list can be cut
 * short, a delete cannot be taken back. Parents first, so that a gone project costs one read. What was renamed meanwhile,
 * itself or above, stays for the next pull.
 */
export async function confirmGone(deps: EngineDeps, absent: readonly BaseRow[]): Promise<Result<null, RemoteError>> {
  const sorted = absent.toSorted((a, b) => order[a.kind] - order[b.kind])
  for (const rows of Map.groupBy(sorted, (row) => `${row.kind} ${row.parentId}`).values()) {
    const confirmed = await confirmBelow(deps, rows)
    if (!confirmed.ok) return confirmed
  }
  return ok(null)
}

/** The same for rows of one kind below one parent. */
async function confirmBelow(deps: EngineDeps, rows: readonly BaseRow[]): Promise<Result<null, RemoteError>> {
  const missing: BaseRow[] = []
  const above = ancestorsOf(deps, rows[0])
  for (const row of rows) {
    const place = deps.mirror.snapshot((tx) =>
      getBase(tx, row.id) === null ? null : wirePlace(tx, { rowKind: row.kind, ancestors: above }),
    )
    if (place === null) continue
    const looked = await lookByKey(deps.remote, deps.cipher, aLook(row, above), row, place)
    if (!looked.ok) return looked
    if (looked.value === null) missing.push(row)
  }
  const [first] = missing
  if (first === undefined) return ok(null)
  const place = deps.mirror.snapshot((tx) => wirePlace(tx, { rowKind: first.kind, ancestors: above }))
  if (place === null) return ok(null)
  const listed = await everyRow(deps.remote, deps.cipher, first.kind, place)
  const canList = listed.ok || (listed.error.kind !== 'missing' && listed.error.kind !== 'no-route')
  if (!listed.ok && canList) return err(listed.error)
  const there = new Set(listed.ok ? listed.value.map((row) => row.remoteId) : [])
  const parents = await checkAbove(deps, above)
  if (!parents.ok) return parents
  const { value: stand } = parents
  const isSame = deps.mirror.snapshot((tx) => isStillAt(tx, { rowKind: first.kind, ancestors: above }, place))
  if (stand === 'moved' || (stand === 'there' && !isSame)) return ok(null)
  deps.mirror.write((tx) => {
    const context = applyContext(deps)
    if (stand !== 'there') applyGone(tx, stand, null, context)
    else for (const row of missing) if (!there.has(row.remoteId) && getBase(tx, row.id) !== null) applyGone(tx, row, null, context)
  })
  deps.onChange(['projects', 'environments', 'variables', 'queue'])
  return ok(null)
}

/** Local ids above a row, nearest first. */
function ancestorsOf(deps: EngineDeps, row: BaseRow | undefined): string[] {
  return deps.mirror.snapshot((tx) => {
    const ancestors: string[] = []
    for (let id = row?.parentId ?? null; id !== null; id = getBase(tx, id)?.parentId ?? null) ancestors.push(id)
    return ancestors
  })
}
