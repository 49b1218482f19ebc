import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Mirror } from '../../mirror/mirror.ts'
import { namesOfRows, placeNames, variableNames, type NameColumns } from '../../mirror/reads/name-slices.ts'
import type { Touch } from '../../mirror/touch-log.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'

export type Bearer =
  /** `parentId`: the project of an environment. */
  | { kind: 'project' | 'environment'; id: string; parentId: string | null }
  /** `parentId`: its environment. */
  | { kind: 'variable'; id: string; parentId: string }

export interface WorkspaceNames {
  index: NameIndex<Bearer>
  /** Projects and environments by id. */
  places: Map<string, { name: string; parentId: string | null }>
}

/** Reads all names of a workspace in slices, so that other work can run in between. */
export async function readNames(mirror: Pick<Mirror, 'read'>): Promise<WorkspaceNames> {
  const names: WorkspaceNames = { index: createNameIndex<Bearer>(), places: new Map() }
  const environments = await placeNames(mirror, 'environment')
  for (const row of await placeNames(mirror, 'project')) put(names, row.name, bearerOf('project', row))
  for (const row of environments) put(names, row.name, bearerOf('environment', row))
  for (const environment of environments) {
    for await (const slice of variableNames(mirror, environment.id)) {
      for (const { id, name } of slice) put(names, name, { kind: 'variable', id, parentId: environment.id })
      await yieldToOthers()
    }
  }
  return names
}

/**
 * Updates the names of added, changed and removed rows. `touches`: all touches since the names were read. They list every name that a row
 * has had, so that names needn't be stored by row too.
 */
export async function refreshNames(mirror: Pick<Mirror, 'read'>, names: WorkspaceNames, touches: readonly Touch[]): Promise<void> {
  const rows = await namesOfRows(mirror, [...new Set(touches.map(({ id }) => id))])
  for (const { id, name } of touches) {
    if (name !== null) names.index.remove(name, (bearer) => bearer.id === id)
    names.places.delete(id)
  }
  for (const { kind, ...row } of rows) {
    const { parent_id: parentId } = row
    if (kind !== 'variable') put(names, row.name, bearerOf(kind, row))
    else if (parentId !== null) put(names, row.name, { kind, id: row.id, parentId })
  }
}

const bearerOf = (kind: 'project' | 'environment', { id, parent_id: parentId }: NameColumns): Bearer => ({ kind, id, parentId })

function put({ index, places }: WorkspaceNames, name: string, bearer: Bearer): void {
  index.add(name, bearer)
  if (bearer.kind !== 'variable') places.set(bearer.id, { name, parentId: bearer.parentId })
}
