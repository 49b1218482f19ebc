import { err, ok, type Result } from '../../bridge/result.ts'
import { getBaseByRemote } from '../../mirror/base-layer.ts'
import type { RemoteError, WriteOptions } from '../../remote/remote.ts'
import type { BaseRow, Change, RowKind, WirePlace } from '../../queue/entry.ts'
import { changedFields } from '../../queue/fields.ts'
import { aLook } from './a-look.ts'
import { stampsOf } from './apply-theirs.ts'
import type { EngineDeps } from './engine-deps.ts'
import { everyRow, lookByKey, lookUp } from './look-up.ts'
import { wirePlace } from './places.ts'
import type { RemoteRow } from './remote-row.ts'

/** So often a record that somebody changes while it is taken back is looked at anew. */
const maxLooks = 3

/**
 * Deletes what a create made in another's place, because its slug was another's by then. Only the very record, found there by its id,
 * and only as it was made: one that somebody changed since, or put something below, is theirs by now and stays. `sentTo`: where it was sent.
 */
export async function takeBack(deps: EngineDeps, change: Change, made: RemoteRow, sentTo: WirePlace): Promise<Result<null, RemoteError>> {
  const where = await placeOfParent(deps, made, sentTo)
  if (!where.ok) return where
  if (where.value === null) return ok(null)
  const asBase: BaseRow = { id: change.rowId, kind: change.rowKind, parentId: null, fields: made.fields, ...stampsOf(made) }
  for (let looks = 0; looks < maxLooks; looks += 1) {
    const found = await lookUp(deps.remote, deps.cipher, change, asBase, where.value)
    if (!found.ok) return found
    const { value: row } = found
    if (row === null || Object.keys(changedFields(made.fields, row.fields)).length > 0) return ok(null)
    const used = await isUsed(deps, row, where.value)
    if (!used.ok) return used
    if (used.value) return ok(null)
    const deleted = await deleteRow(deps, row, where.value)
    if (deleted.ok || deleted.error.kind === 'missing') return ok(null)
    if (deleted.error.kind !== 'stale') return deleted
  }
  return ok(null)
}

/** Where the parent that the record was made below is now: by its id, under the slug it had, the one we know, or the one it is listed with. */
async function placeOfParent(deps: EngineDeps, made: RemoteRow, sentTo: WirePlace): Promise<Result<WirePlace | null, RemoteError>> {
  const kind: RowKind = made.kind === 'variable' ? 'environment' : 'project'
  const known = deps.mirror.snapshot((tx) => {
    const base = getBaseByRemote(tx, kind, made.parentRemoteId ?? '')
    const ancestors = base === null ? [] : [base.id, ...(base.parentId === null ? [] : [base.parentId])]
    return base && wirePlace(tx, { rowKind: made.kind, ancestors })
  })
  for (const place of [sentTo, ...(known === null ? [] : [known])]) {
    const parent = parentAt(made, kind, place)
    const seen = await lookByKey(deps.remote, deps.cipher, aLook(parent, []), parent, aboveOf(place))
    if (!seen.ok) return seen
    if (seen.value !== null) return ok(place)
  }
  const listed = await everyRow(deps.remote, deps.cipher, kind, aboveOf(sentTo))
  if (!listed.ok) return listed.error.kind === 'missing' || listed.error.kind === 'no-route' ? ok(null) : err(listed.error)
  const slug = listed.value.find((row) => row.remoteId === made.parentRemoteId)?.fields.slug
  if (slug === undefined) return ok(null)
  return ok(kind === 'environment' ? { ...sentTo, environment: slug } : { project: slug, environment: '' })
}

const aboveOf = ({ project }: WirePlace): WirePlace => ({ project, environment: '' })

/** The parent of a record as it would be if it had the slug of this place. */
const parentAt = (made: RemoteRow, kind: RowKind, { project, environment }: WirePlace): BaseRow => ({
  id: '',
  kind,
  parentId: null,
  fields: { slug: kind === 'environment' ? environment : project },
  remoteId: made.parentRemoteId ?? '',
  etag: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
})

/** An environment goes with all that is in it: one with anything in it has been taken into use. */
async function isUsed(deps: EngineDeps, row: RemoteRow, { project }: WirePlace): Promise<Result<boolean, RemoteError>> {
  if (row.kind !== 'environment') return ok(false)
  const below = await everyRow(deps.remote, deps.cipher, 'variable', { project, environment: row.fields.slug ?? '' })
  if (!below.ok) return below.error.kind === 'missing' || below.error.kind === 'no-route' ? ok(true) : err(below.error)
  return ok(below.value.length > 0)
}

function deleteRow({ remote }: EngineDeps, row: RemoteRow, { project, environment }: WirePlace) {
  const options: WriteOptions = { ifMatch: row.etag ?? undefined }
  return row.kind === 'environment'
    ? remote.deleteEnvironment(project, row.fields.slug ?? '', options)
    : remote.deleteVariable(project, environment, row.fields.name ?? '', options)
}
