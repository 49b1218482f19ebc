import { ok, type Result } from '../../../bridge/result.ts'
import type { BaseRow, Change } from '../../../queue/entry.ts'
import { changedFields, type Fields } from '../../../queue/fields.ts'
import { naturalKey } from '../../../queue/natural-key.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import type { Outcome, RemoteParent, RemoteRow } from '../../port.ts'
import { isTooLarge, outcomeOf, outcomeOfUnsent } from '../shared/failures.ts'
import { environmentRow, variableRow } from '../shared/remote-rows.ts'
import type { WireFields } from '../shared/value-rules.ts'
import type { BasicDeps, RowItem } from './basic-deps.ts'
import type { Wanted } from './row-reader.ts'

const confirmed = (row: RemoteRow | null): Outcome => ({ is: 'confirmed', row })
const parentMissing: Outcome = { is: 'missing', what: 'parent', message: 'Its parent was renamed or deleted on the service.' }

/** The keys under which a change's record may be found: its former one, and the one that an earlier try may have set. */
export const wantedOf = (entry: Change, base: BaseRow): Wanted => ({
  remoteId: base.remoteId,
  keys: [naturalKey(base.kind, base.fields), naturalKey(entry.rowKind, entry.patch)],
})

type VariablePatch = Extract<WireFields, { ok: true }>['value']
const noFields: WireFields = { ok: true, value: {} }

/**
 * Sends a change. Basic services may ignore If-Match, so the record is read first, and the change is sent only if the record equals base.
 * If that read has an ETag, If-Match also covers the time between the two requests.
 */
export async function pushRow(deps: BasicDeps, item: RowItem): Promise<Outcome> {
  const { entry, base, parent } = item
  if (entry.kind === 'create') return createEnvironment(deps, item)
  if (base === null) return outcomeBefore(item, null) ?? parentMissing
  const found = await deps.reader.find(base.kind, parent, [wantedOf(entry, base)])
  if (!found.ok) return outcomeOfUnsent(found.error)
  if (found.value === null) return parentMissing
  const row = found.value.get(base.remoteId) ?? null
  const before = outcomeBefore(item, row)
  if (before !== null || row === null) return before ?? parentMissing
  const body = entry.kind === 'update' && row.kind === 'variable' ? deps.seal(entry, item) : noFields
  if (!body.ok) return { is: 'refused', message: body.problem }
  const sent = await send(deps, item, row, body.value)
  return sent.ok ? confirmed(sent.value) : refused(deps, item, base, sent.error)
}

/** The outcome by the record read before sending; null: it equals base, so the change can be sent. */
function outcomeBefore({ entry, base }: RowItem, row: RemoteRow | null): Outcome | null {
  if (row === null) return entry.kind === 'delete' ? confirmed(null) : { is: 'stale', current: null }
  const isChanged = base === null || Object.keys(changedFields(base.fields, row.fields)).length > 0
  return isChanged ? { is: 'stale', current: row } : null
}

/** Operations 3, 6, 8 and 10. Returns the row afterwards; null: deleted. */
async function send(
  { remote, accept }: BasicDeps,
  { entry, parent }: RowItem,
  row: RemoteRow,
  body: VariablePatch,
): Promise<Result<RemoteRow | null, RemoteError>> {
  const { project = '', environment = '' } = parent?.path ?? {}
  const { name = '', slug = '' } = row.fields
  const { patch } = entry
  const options = { ifMatch: row.etag ?? undefined }
  if (entry.kind === 'delete') {
    return row.kind === 'project' ? remote.deleteProject(slug, options) : remote.deleteVariable(project, environment, name, options)
  }
  if (row.kind === 'environment') {
    const sent = await remote.updateEnvironment(project, slug, patchOf(patch), options)
    return sent.ok ? ok(withSent(patch, environmentRow(sent.value))) : sent
  }
  const sent = await remote.updateVariable(row.remoteId, body, options)
  return sent.ok ? ok(withSent(patch, variableRow(sent.value, accept))) : sent
}

const patchOf = ({ name, slug }: Fields): { name?: string; slug?: string } => ({
  ...(name === undefined ? {} : { name }),
  ...(slug === undefined ? {} : { slug }),
})

/** Adds the fields that the service accepted and does not return. */
const withSent = (patch: Fields, row: RemoteRow): RemoteRow => ({ ...row, fields: { ...patch, ...row.fields } })

/** The outcome of a refused change. The record is read once more if that tells more than the answer. */
async function refused(deps: BasicDeps, item: RowItem, base: BaseRow, error: RemoteError): Promise<Outcome> {
  const { entry, parent } = item
  if (error.kind === 'taken') return taken(deps, entry, parent, error)
  if (error.kind !== 'stale' && error.kind !== 'missing') return outcomeOf(error)
  const found = await deps.reader.find(entry.rowKind, parent, [wantedOf(entry, base)])
  if (!found.ok) return outcomeOfUnsent(found.error)
  if (found.value === null) return parentMissing
  const row = found.value.get(base.remoteId) ?? null
  if (row === null) return outcomeBefore(item, null) ?? parentMissing
  return error.kind === 'missing' ? { is: 'refused', message: error.message } : { is: 'stale', current: row }
}

async function taken({ reader }: BasicDeps, entry: Change, parent: RemoteParent | null, { message }: RemoteError): Promise<Outcome> {
  const key = naturalKey(entry.rowKind, entry.patch)
  const holder = key === null ? null : await reader.read(entry.rowKind, parent, key)
  return { is: 'taken', holder: holder?.ok === true ? holder.value : null, message }
}

/** Operation 4. It names the project by its slug, which may now belong to another project. */
async function createEnvironment(deps: BasicDeps, { entry, parent }: RowItem): Promise<Outcome> {
  if (parent === null) return parentMissing
  const atPath = await deps.reader.hasPath(parent)
  if (!atPath.ok) return outcomeOfUnsent(atPath.error)
  if (!atPath.value) return parentMissing
  const { name = '', slug = '' } = entry.patch
  const made = await deps.remote.createEnvironment(parent.path.project, { name, slug }, { idempotencyKey: entry.id })
  // An environment made in the wrong project stays there: none of the 14 operations deletes it.
  if (made.ok) return made.value.projectId === parent.remoteId ? confirmed(environmentRow(made.value)) : parentMissing
  if (made.error.kind === 'taken') return taken(deps, entry, parent, made.error)
  return made.error.kind === 'missing' ? parentMissing : outcomeOf(made.error)
}

/**
 * Deletes variables of one environment: reads all of them, and deletes those that equal base in one request (operation 9), or in smaller ones
 * if that is too large.
 */
export async function pushDeletions(deps: BasicDeps, parent: RemoteParent, items: readonly RowItem[]): Promise<Outcome[]> {
  const wanted = items.flatMap(({ entry, base }) => (base === null ? [] : [wantedOf(entry, base)]))
  const found = await deps.reader.find('variable', parent, wanted)
  if (!found.ok) return items.map(() => outcomeOfUnsent(found.error))
  const rows = found.value
  if (rows === null) return items.map(() => parentMissing)
  const read = items.map((item) => {
    const row = (item.base && rows.get(item.base.remoteId)) ?? null
    return { before: outcomeBefore(item, row), name: row?.fields.name }
  })
  const names = read.flatMap(({ before, name }) => (before === null && name !== undefined ? [name] : []))
  if (names.length === 0) return read.flatMap(({ before }) => before ?? [])
  const sent = await deps.remote.deleteVariables(parent.path.project, parent.path.environment, names)
  if (!sent.ok && isTooLarge(sent.error) && names.length > 1) {
    const half = Math.ceil(items.length / 2)
    return [...(await pushDeletions(deps, parent, items.slice(0, half))), ...(await pushDeletions(deps, parent, items.slice(half)))]
  }
  const deleted = new Set(sent.ok ? [...sent.value.deleted.map(({ name }) => name), ...sent.value.notFound] : [])
  return read.map(({ before, name }) => {
    if (before !== null) return before
    if (!sent.ok) return sent.error.kind === 'missing' ? parentMissing : outcomeOf(sent.error)
    return name !== undefined && deleted.has(name) ? confirmed(null) : notSaid
  })
}

const notSaid: Outcome = {
  is: 'unknown',
  failure: { kind: 'failed', message: 'The service didn’t say whether it deleted this variable.', retryAfterMs: null },
}
