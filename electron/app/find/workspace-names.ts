import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Mirror } from '../../mirror/mirror.ts'
import { namesOfRows, placeNames, variableNames, type NameColumns } from '../../mirror/reads/name-slices.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'

/** What bears a name. */
export interface Bearer {
  kind: 'project' | 'environment' | 'variable'
  id: string
  /** The project of an environment, the environment of a variable. */
  parentId: string | null
}

/** All names of one workspace, as they were at one time. */
export interface WorkspaceNames {
  index: NameIndex<Bearer>
  /** Projects and environments by id. */
  places: Map<string, { name: string; parentId: string | null }>
  /** What bears which name, by id. */
  borne: Map<string, { name: string; bearer: Bearer }>
}

/** Reads all names of a workspace, in slices between which others get their turn. */
export async function readNames(mirror: Pick<Mirror, 'read'>): Promise<WorkspaceNames> {
  const names: WorkspaceNames = { index: createNameIndex<Bearer>(), places: new Map(), borne: new Map() }
  const environments = await placeNames(mirror, 'environment')
  for (const row of await placeNames(mirror, 'project')) put(names, 'project', row)
  for (const row of environments) put(names, 'environment', row)
  for (const environment of environments) {
    for await (const slice of variableNames(mirror, environment.id)) {
      for (const row of slice) put(names, 'variable', { ...row, parent_id: environment.id })
      await yieldToOthers()
    }
  }
  return names
}

/** Brings the names of these rows, which were added, changed or removed, up to what they are now. */
export async function refreshNames(mirror: Pick<Mirror, 'read'>, names: WorkspaceNames, ids: readonly string[]): Promise<void> {
  const rows = await namesOfRows(mirror, ids)
  for (const id of ids) {
    const before = names.borne.get(id)
    if (before !== undefined) names.index.remove(before.name, before.bearer)
    names.borne.delete(id)
    names.places.delete(id)
  }
  for (const { kind, ...row } of rows) put(names, kind, row)
}

function put({ index, places, borne }: WorkspaceNames, kind: Bearer['kind'], { id, name, parent_id: parentId }: NameColumns): void {
  const bearer = { kind, id, parentId }
  index.add(name, bearer)
  borne.set(id, { name, bearer })
  if (kind !== 'variable') places.set(id, { name, parentId })
}
