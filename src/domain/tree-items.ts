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

/** The command that the service may refuse when a project or environment is deleted; undefined: it never had it, so it only has to be discarded. */
export const neededToDelete = ({ kind, row }: TreeItem): CommandName | undefined => (row.isUnsent ? undefined : `${kind}s.delete`)
