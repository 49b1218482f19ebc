import { err, ok, type Result } from '../../../bridge/result.ts'
import type { RowKind } from '../../../queue/entry.ts'
import type { RemotePage } from '../../../remote/records.ts'
import type { Remote, RemoteError } from '../../../remote/remote.ts'
import type { ListName } from '../../../remote/service-profile.ts'
import type { RemoteParent, RemoteRow } from '../../port.ts'
import { everyPage } from '../shared/every-page.ts'
import { inTurns } from '../shared/in-turns.ts'
import { environmentRow, projectRow, variableRow } from '../shared/remote-rows.ts'
import type { Accept } from '../shared/value-rules.ts'
import { inParallel } from './in-parallel.ts'

type Read<T> = Promise<Result<T, RemoteError>>

/** A row to read, with the keys it may have. */
export interface Wanted {
  remoteId: string
  keys: readonly (string | null)[]
}

export interface RowReader {
  /** The record with this key below a parent (operations 2, 5 and 7). */
  read(kind: RowKind, parent: RemoteParent | null, key: string): Read<RemoteRow>
  /** Every record below a parent. Error `no-route`: the service has no such list. */
  list(kind: RowKind, parent: RemoteParent | null): Read<RemoteRow[]>
  /** All pages of another list. */
  listAll<T>(name: ListName, page: (cursor: string | null) => Read<RemotePage<T>>): Read<T[]>
  /** Whether the record at the path of a parent is that parent. */
  hasPath(parent: RemoteParent | null): Read<boolean>
  /**
   * Finds rows of one kind below one parent by their remote ids. A row that is in no list and under none of its keys is left out: the
   * service does not have it. null: the parent has another path now or is deleted, so nothing is known.
   */
  find(kind: RowKind, parent: RemoteParent | null, wanted: readonly Wanted[]): Read<Map<string, RemoteRow> | null>
  /** Forgets which lists the service did not have, so that they are requested again. */
  forgetLists(): void
}

const listOf: Record<RowKind, ListName> = { project: 'projects', environment: 'environments', variable: 'variables' }

/** For more rows than this the list is read first. */
const fewRows = 20

/** Reads rows by the 14 operations and by lists. A list that the service does not have is requested only once. */
export function createRowReader(remote: Remote, accept: Accept): RowReader {
  const absent = new Set<ListName>()

  const listAll: RowReader['listAll'] = async (name, page) => {
    if (absent.has(name)) return err(noList)
    const listed = await everyPage(page)
    if (!listed.ok && listed.error.kind === 'no-route') absent.add(name)
    return listed
  }

  const read: RowReader['read'] = async (kind, parent, key) => {
    const { project = '', environment = '' } = parent?.path ?? {}
    if (kind === 'project') return mapped(await remote.getProject(key), projectRow)
    if (kind === 'environment') return mapped(await remote.getEnvironment(project, key), environmentRow)
    return mapped(await remote.getVariable(project, environment, key), (record) => variableRow(record, accept))
  }

  const list: RowReader['list'] = async (kind, parent) => {
    const { project = '', environment = '' } = parent?.path ?? {}
    const name = listOf[kind]
    if (kind === 'project') return rowsOf(await listAll(name, (cursor) => remote.listProjects(cursor)), projectRow)
    if (kind === 'environment') return rowsOf(await listAll(name, (cursor) => remote.listEnvironments(project, cursor)), environmentRow)
    const listed = await listAll(name, (cursor) => remote.listVariables(project, environment, cursor))
    return rowsOf(
      listed,
      (record) => variableRow(record, accept),
      ({ value }) => value.length,
    )
  }

  const hasPath: RowReader['hasPath'] = async (parent) => {
    if (parent === null) return ok(true)
    const { project, environment } = parent.path
    const found = environment === '' ? await remote.getProject(project) : await remote.getEnvironment(project, environment)
    if (!found.ok) return found.error.kind === 'missing' ? ok(false) : found
    return ok(found.value.id === parent.remoteId)
  }

  const find: RowReader['find'] = (kind, parent, wanted) => findRows({ read, list, hasPath }, kind, parent, wanted)

  return { read, list, listAll, hasPath, find, forgetLists: () => absent.clear() }
}

/** See `find` of RowReader. Reads a few rows by their keys first, many from the list. */
async function findRows(
  { read, list, hasPath }: Pick<RowReader, 'read' | 'list' | 'hasPath'>,
  kind: RowKind,
  parent: RemoteParent | null,
  wanted: readonly Wanted[],
): Read<Map<string, RemoteRow> | null> {
  const found = new Map<string, RemoteRow>()
  const unfound = () => wanted.filter(({ remoteId }) => !found.has(remoteId))

  const fromList = async (): Read<null> => {
    const listed = await list(kind, parent)
    if (!listed.ok) return isNoList(listed.error) ? ok(null) : listed
    const ids = new Set(unfound().map(({ remoteId }) => remoteId))
    for (const row of listed.value) if (ids.has(row.remoteId)) found.set(row.remoteId, row)
    return ok(null)
  }
  const byKeys = async ({ remoteId, keys }: Wanted): Read<null> => {
    for (const key of new Set(keys.filter((each) => each !== null))) {
      const row = await read(kind, parent, key)
      if (!row.ok && row.error.kind !== 'missing') return row
      if (row.ok && row.value.remoteId === remoteId) found.set(remoteId, row.value)
      if (found.has(remoteId)) break
    }
    return ok(null)
  }
  const oneByOne = async (): Read<null> => {
    const reads = await inParallel(unfound(), byKeys, (each) => !each.ok)
    return reads.find((each) => !each.ok) ?? ok(null)
  }

  for (const search of wanted.length > fewRows ? [fromList, oneByOne] : [oneByOne, fromList]) {
    const searched = await search()
    if (!searched.ok) return searched
    if (unfound().length === 0) return ok(found)
  }
  const atPath = await hasPath(parent)
  return atPath.ok ? ok(atPath.value ? found : null) : atPath
}

/** Whether a list cannot be read because the service does not have it, or not at this path. */
export const isNoList = (error: RemoteError): boolean => error.kind === 'no-route' || error.kind === 'missing'

const noList: RemoteError = { kind: 'no-route', outcome: 'none', message: 'This service doesn’t offer this list.' }

const mapped = <T>(result: Result<T, RemoteError>, rowOf: (record: T) => RemoteRow): Result<RemoteRow, RemoteError> =>
  result.ok ? ok(rowOf(result.value)) : result

/** An ETag within a list does not prove that the service checks If-Match. `weigh`: as for `inTurns`. */
const rowsOf = async <T>(
  result: Result<T[], RemoteError>,
  rowOf: (record: T) => RemoteRow,
  weigh = (_record: T) => 0,
): Read<RemoteRow[]> => (result.ok ? ok(await inTurns(result.value, weigh, (record) => ({ ...rowOf(record), etag: null }))) : result)
