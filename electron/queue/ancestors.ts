import type { EnvironmentPath, Row } from './entry.ts'

/**
 * Returns the local ids of a parent and its ancestors, nearest first. `most`: the largest number of them, if the parents may form a circle.
 */
export function ancestorsFrom(parentId: string | null, parentOf: (id: string) => string | null | undefined, most = Infinity): string[] {
  const ancestors: string[] = []
  for (let id = parentId; id !== null && ancestors.length < most; id = parentOf(id) ?? null) ancestors.push(id)
  return ancestors
}

/** Returns the ancestors of the rows directly below a project or environment. */
export const ancestorsBelow = ({ id, parentId }: Row): EnvironmentPath => (parentId === null ? [id] : [id, parentId])
