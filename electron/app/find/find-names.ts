import type { FoundName } from '../../bridge/rows.ts'
import type { Alignment } from '../../match/align.ts'
import { bestOf } from './best-of.ts'
import { foldQuery } from '../../match/fold.ts'
import { createNameIndex, type Hit } from './name-index.ts'
import type { Bearer, WorkspaceNames } from './workspace-names.ts'

/** A workspace to search: its own name, and all names in it. */
export interface SearchedWorkspace {
  id: string
  name: string
  /** null: they could not be read. */
  names: WorkspaceNames | null
}

interface Candidate {
  workspace: SearchedWorkspace
  bearer: Bearer | null
}

/** How many candidates are scored exactly for each shown result. */
const closely = 4

const kindOrder = { workspace: 0, project: 1, environment: 2, variable: 3 }

/** Returns the names that contain the characters of a text in order, best first. A text of only white space finds nothing. */
export function findNames(workspaces: readonly SearchedWorkspace[], text: string, limit: number): FoundName[] {
  const query = foldQuery(text)
  if (query.length === 0) return []
  const own = createNameIndex<SearchedWorkspace>()
  for (const workspace of workspaces) own.add(workspace.name, workspace)
  const best = bestOf<{ hit: Hit<unknown>; candidates: () => Candidate[] }>(limit * closely)
  const within = <T>(toCandidate: (bearer: T) => Candidate) => ({
    bar: best.bar,
    offer: (score: number, hit: Hit<T>) => best.offer(score, { hit, candidates: () => hit.bearers.map(toCandidate) }),
  })
  own.scan(
    query,
    within((workspace: SearchedWorkspace) => ({ workspace, bearer: null })),
  )
  for (const workspace of workspaces)
    workspace.names?.index.scan(
      query,
      within((bearer: Bearer) => ({ workspace, bearer })),
    )
  const several = workspaces.length > 1
  return best
    .take()
    .flatMap(({ hit, candidates }) => {
      const alignment = hit.align()
      return alignment === null ? [] : [{ name: hit.name, alignment, candidates }]
    })
    .toSorted((a, b) => b.alignment.score - a.alignment.score || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, limit)
    .flatMap(({ name, alignment, candidates }) =>
      candidates()
        .slice(0, limit)
        .map((candidate) => toFound(name, alignment, candidate, several))
        .toSorted((a, b) => kindOrder[a.kind] - kindOrder[b.kind] || (a.where < b.where ? -1 : 1)),
    )
    .slice(0, limit)
}

function toFound(name: string, { score, ranges }: Alignment, { workspace, bearer }: Candidate, several: boolean): FoundName {
  const found = { workspaceId: workspace.id, name, score, ranges }
  if (bearer === null) return { kind: 'workspace', id: workspace.id, where: '', ...found }
  const placeOf = (id: string | null) => (id === null ? undefined : workspace.names?.places.get(id))
  const path: string[] = []
  for (let place = placeOf(bearer.parentId); place !== undefined; place = placeOf(place.parentId)) path.unshift(place.name)
  if (several || bearer.kind === 'project') path.unshift(workspace.name)
  const where = path.join(' / ')
  if (bearer.kind !== 'variable') return { kind: bearer.kind, id: bearer.id, where, ...found }
  return { kind: 'variable', id: bearer.id, environmentId: bearer.parentId, where, ...found }
}
