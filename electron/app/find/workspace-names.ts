import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Mirror } from '../../mirror/mirror.ts'
import { namesOfRows, placeNames, variableNames, type NameColumns } from '../../mirror/reads/name-slices.ts'
import type { Touch } from '../../mirror/touch-log.ts'
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
}

/** Reads all names of a workspace, in slices between which others get their turn. */
export async function readNames(mirror: Pick<Mirror, 'read'>): Promise<WorkspaceNames> {
  const names: WorkspaceNames = { index: createNameIndex<Bearer>(), places: new Map() }
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

/**
 * Brings the names of rows that were added, changed or removed up to what they are now. `touches`: all since the names were read. They tell
 * each name that such a row has had, so that no row's name has to be kept a second time here.
 */
export async function refreshNames(mirror: Pick<Mirror, 'read'>, names: WorkspaceNames, touches: readonly Touch[]): Promise<void> {
  const rows = await namesOfRows(mirror, [...new Set(touches.map(({ id }) => id))])
  for (const { id, name } of touches) {
    if (name !== null) names.index.remove(name, (bearer) => bearer.id === id)
    names.places.delete(id)
  }
  for (const { kind, ...row } of rows) put(names, kind, row)
}

function put({ index, places }: WorkspaceNames, kind: Bearer['kind'], { id, name, parent_id: parentId }: NameColumns): void {
  index.add(name, { kind, id, parentId })
  if (kind !== 'variable') places.set(id, { name, parentId })
}
