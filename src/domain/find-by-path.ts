import type { EnvironmentRow, FoundName, ProjectRow, WorkspaceRow } from '../../electron/bridge/rows.ts'
import { matchText } from '../../electron/match/match-text.ts'

interface Places {
  workspace: Pick<WorkspaceRow, 'id' | 'name'>
  /** There are several workspaces, so each result names its own. */
  isOneOfSeveral: boolean
  projects: readonly ProjectRow[]
  environments: readonly EnvironmentRow[]
}

/** Names in small letters, by their words. */
const wordsOf = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u)

/**
 * The environments that several words name together with their projects: `billing dev` finds Development of Billing. Each word begins one
 * of the environment's name or of its project's, in any order; letters inside words don't count.
 */
export const findByPath = (text: string, { workspace, isOneOfSeveral, projects, environments }: Places): FoundName[] => {
  const wanted = text.trim().toLowerCase().split(/\s+/)
  if (wanted.length < 2) return []
  const projectOf = new Map(projects.map((project) => [project.id, { name: project.name, words: wordsOf(project.name) }]))
  return environments.flatMap((environment): FoundName[] => {
    const project = projectOf.get(environment.projectId)
    if (project === undefined) return []
    const words = wordsOf(environment.name)
    const own = wanted.filter((word) => words.some((other) => other.startsWith(word)))
    const isFound = own.length > 0 && wanted.every((word) => own.includes(word) || project.words.some((other) => other.startsWith(word)))
    if (!isFound) return []
    const { id, name } = environment
    const match = matchText(text, `${project.name} ${name}`) ?? matchText(text, `${name} ${project.name}`)
    const ranges = matchText(own.join(' '), name)?.ranges ?? []
    const where = isOneOfSeveral ? `${workspace.name} / ${project.name}` : project.name
    return [{ kind: 'environment', workspaceId: workspace.id, id, name, where, score: match?.score ?? 0, ranges }]
  })
}
