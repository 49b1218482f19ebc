import type { CommandName } from '../../electron/bridge/contract.ts'
import type { EnvironmentRow, ProjectRow } from '../../electron/bridge/rows.ts'

export type TreeItem = { kind: 'project'; row: ProjectRow; environments: EnvironmentRow[] } | { kind: 'environment'; row: EnvironmentRow }

/** Projects with their environments below them, in the order shown; a closed project shows none of its environments. */
export const treeItems = (
  projects: readonly ProjectRow[],
  environments: readonly EnvironmentRow[],
  closed: ReadonlySet<string>,
): TreeItem[] => {
  const byProject = Map.groupBy(environments, (row) => row.projectId)
  return projects.flatMap((row): TreeItem[] => {
    const own = byProject.get(row.id) ?? []
    const head: TreeItem = { kind: 'project', row, environments: own }
    return closed.has(row.id) ? [head] : [head, ...own.map((environment): TreeItem => ({ kind: 'environment', row: environment }))]
  })
}

/** The items, with the one of this id where it was among the `former` items if it is missing. */
export const keepItem = (items: readonly TreeItem[], former: readonly TreeItem[], id: string | null): readonly TreeItem[] => {
  const at = former.findIndex(({ row }) => row.id === id)
  const kept = former[at]
  return kept === undefined || items.some(({ row }) => row.id === id) ? items : items.toSpliced(at, 0, kept)
}

/**
 * The command that the service may refuse when a project or environment is deleted; undefined: it never had it, so it only has to be
 * discarded.
 */
export const neededToDelete = ({ kind, row }: TreeItem): CommandName | undefined => (row.isUnsent ? undefined : `${kind}s.delete`)
