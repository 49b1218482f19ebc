import type { FollowedRow } from '../../bridge/rows.ts'
import { noParent, type Followed } from '../../mirror/followed-layer.ts'
import { compareNames } from '../../mirror/reads/compare-names.ts'

/** What is followed as the page shows it: each place with what is in it below it, by name: places in the order of people. */
export function inTreeOrder(all: readonly Followed[]): FollowedRow[] {
  const below = Map.groupBy(all, (entry) => entry.parent_id)
  const walk = (parentId: string, above: string[]): FollowedRow[] =>
    (below.get(parentId) ?? [])
      .toSorted((a, b) => (a.kind === 'variable' ? (a.key < b.key ? -1 : 1) : compareNames(a.key, b.key)))
      .flatMap((entry) => [rowOf(entry, above), ...walk(entry.id, [...above, entry.key])])
  return walk(noParent, [])
}

const rowOf = ({ id, kind, key, state }: Followed, [project = key, environment]: string[]): FollowedRow => ({
  id,
  kind,
  key,
  project,
  environment: kind === 'environment' ? key : (environment ?? null),
  state,
})
