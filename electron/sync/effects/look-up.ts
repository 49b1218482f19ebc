import { err, ok, type Result } from '../../bridge/result.ts'
import type { Remote, RemoteError, RemotePage, RemoteResult } from '../../remote/remote.ts'
import type { BaseRow, Change, RowKind } from '../../queue/entry.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import type { EngineDeps } from './engine-deps.ts'
import { everyPage } from './every-page.ts'
import type { WirePlace } from './places.ts'
import { environmentRow, projectRow, variableRow, type RemoteRow } from './remote-row.ts'

/**
 * Reads the record a change is about, as it is on the server now, at `place`; null when there is none.
 *
 * For a row with a known remote id it must be that record: found under its new name, its old name, or,
 * where somebody renamed it, in the list. For a create it is whatever holds the natural key.
 */
export async function lookUp(
  remote: Remote,
  cipher: EngineDeps['cipher'],
  change: Change,
  base: BaseRow | null,
  place: WirePlace,
): Promise<Result<RemoteRow | null, RemoteError>> {
  const found = await lookByKey(remote, cipher, change, base, place)
  if (!found.ok) return found
  const remoteId = found.value?.remoteId ?? base?.remoteId
  // Operation 7 does not say flag and type: whether somebody's record is what we wanted to create takes the list.
  const isWhole = found.value !== null && (base !== null || change.rowKind !== 'variable' || found.value.fields.isSecret !== undefined)
  if (isWhole || remoteId === undefined) return found
  const listed = await everyRow(remote, cipher, change.rowKind, place)
  // A server without lists cannot say that a record was renamed: there, not found under its names means gone.
  if (!listed.ok) return listed.error.kind === 'missing' || listed.error.kind === 'no-route' ? found : err(listed.error)
  return ok(listed.value.find((row) => row.remoteId === remoteId) ?? null)
}

/** The same by the names we know alone. */
export async function lookByKey(
  remote: Remote,
  cipher: EngineDeps['cipher'],
  change: Change,
  base: BaseRow | null,
  place: WirePlace,
): Promise<Result<RemoteRow | null, RemoteError>> {
  const reader = readerOf(remote, cipher, change.rowKind, place)
  const keys = [naturalKey(change.rowKind, change.patch), base && naturalKey(base.kind, base.fields)]
  for (const key of new Set(keys.filter((text) => text !== null))) {
    const found = await reader.byKey(key)
    if (!found.ok && found.error.kind !== 'missing') return err(found.error)
    if (found.ok && (base === null || found.value.remoteId === base.remoteId)) return found
  }
  return ok(null)
}

/** The record of a kind that has a natural key at a place. */
export const readByKey = (
  remote: Remote,
  cipher: EngineDeps['cipher'],
  kind: RowKind,
  place: WirePlace,
  key: string,
): RemoteResult<RemoteRow> => readerOf(remote, cipher, kind, place).byKey(key)

/** Every record of a kind at a place. */
export function everyRow(
  remote: Remote,
  cipher: EngineDeps['cipher'],
  kind: RowKind,
  place: WirePlace,
): Promise<Result<RemoteRow[], RemoteError>> {
  return everyPage(readerOf(remote, cipher, kind, place).list)
}

interface Reader {
  byKey(key: string): RemoteResult<RemoteRow>
  list(cursor: string | null): RemoteResult<RemotePage<RemoteRow>>
}

function readerOf(remote: Remote, cipher: EngineDeps['cipher'], kind: RowKind, { project, environment }: WirePlace): Reader {
  switch (kind) {
    case 'project':
      return {
        byKey: async (key) => one(await remote.getProject(key), projectRow),
        list: async (cursor) => page(await remote.listProjects(cursor), projectRow),
      }
    case 'environment':
      return {
        byKey: async (key) => one(await remote.getEnvironment(project, key), environmentRow),
        list: async (cursor) => page(await remote.listEnvironments(project, cursor), environmentRow),
      }
    case 'variable': {
      return {
        byKey: async (key) => one(await remote.getVariable(project, environment, key), (record) => variableRow(record, cipher)),
        list: async (cursor) => page(await remote.listVariables(project, environment, cursor), (record) => variableRow(record, cipher)),
      }
    }
  }
}

const one = <T>(result: Result<T, RemoteError>, map: (record: T) => RemoteRow): Result<RemoteRow, RemoteError> =>
  result.ok ? ok(map(result.value)) : err(result.error)

const page = <T>(result: Result<RemotePage<T>, RemoteError>, map: (record: T) => RemoteRow): Result<RemotePage<RemoteRow>, RemoteError> =>
  result.ok ? ok({ items: result.value.items.map(map), nextCursor: result.value.nextCursor }) : err(result.error)
