import { findTracked, noParent, putTracked } from '../../mirror/tracked-layer.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { RowKind } from '../../queue/entry.ts'

export interface Named {
  /** Slug. */
  project: string
  /** Slug; null: the project alone. */
  environment: string | null
  /** Of variables in the environment. */
  names: readonly string[]
}

/** Tracks what was named and the places it is in; says how many of the names were not tracked yet (of the place itself without names). */
export function trackNames(tx: Tx, newId: () => string, { project, environment, names }: Named): number {
  const inProject = take(tx, newId, noParent, 'project', project)
  if (environment === null) return inProject.added
  const inEnvironment = take(tx, newId, inProject.id, 'environment', environment)
  if (names.length === 0) return inEnvironment.added
  return names.reduce((added, name) => added + take(tx, newId, inEnvironment.id, 'variable', name).added, 0)
}

function take(tx: Tx, newId: () => string, parentId: string, kind: RowKind, key: string): { id: string; added: number } {
  const known = findTracked(tx, parentId, kind, key)
  if (known !== null) return { id: known.id, added: 0 }
  const id = newId()
  putTracked(tx, { id, kind, parent_id: parentId, key, row_id: null, state: 'waiting' })
  return { id, added: 1 }
}
