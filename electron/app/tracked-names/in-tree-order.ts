import type { TrackedNameRow } from '../../bridge/rows.ts'
import { noParent, type Tracked } from '../../mirror/tracked-layer.ts'
import { compareNames } from '../../mirror/reads/compare-names.ts'

/** What is tracked as the page shows it: each place with what is in it below it, by name: places in the order of people. */
export function inTreeOrder(all: readonly Tracked[]): TrackedNameRow[] {
  const below = Map.groupBy(all, (entry) => entry.parent_id)
  const walk = (parentId: string, above: string[]): TrackedNameRow[] =>
    (below.get(parentId) ?? [])
      .toSorted((a, b) => (a.kind === 'variable' ? (a.key < b.key ? -1 : 1) : compareNames(a.key, b.key)))
      .flatMap((entry) => [rowOf(entry, above), ...walk(entry.id, [...above, entry.key])])
  return walk(noParent, [])
}

const rowOf = ({ id, kind, key, state }: Tracked, [project = key, environment]: string[]): TrackedNameRow => ({
  id,
  kind,
  key,
  project,
  environment: kind === 'environment' ? key : (environment ?? null),
  state,
})
