import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Mirror } from '../../mirror/mirror.ts'
import { placeNames, variableNames } from '../../mirror/reads/name-slices.ts'
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
  places: ReadonlyMap<string, { name: string; parentId: string | null }>
}

/** Reads all names of a workspace, in slices between which others get their turn. */
export async function readNames(mirror: Mirror): Promise<WorkspaceNames> {
  const index = createNameIndex<Bearer>()
  const places = new Map<string, { name: string; parentId: string | null }>()
  const projects = await placeNames(mirror, 'project')
  const environments = await placeNames(mirror, 'environment')
  for (const [kind, rows] of [['project', projects] as const, ['environment', environments] as const]) {
    for (const { id, name, parent_id: parentId } of rows) {
      places.set(id, { name, parentId })
      index.add(name, { kind, id, parentId })
    }
  }
  for (const environment of environments) {
    for await (const slice of variableNames(mirror, environment.id)) {
      for (const { id, name } of slice) index.add(name, { kind: 'variable', id, parentId: environment.id })
      await yieldToOthers()
    }
  }
  return { index, places }
}
