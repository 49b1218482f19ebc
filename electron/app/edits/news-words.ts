import type { News } from '../../mirror/past-layer.ts'
import type { RowKind } from '../../queue/entry.ts'

const kinds: readonly RowKind[] = ['project', 'environment', 'variable']

const counted = (n: number, kind: RowKind): string => `${n.toLocaleString('en-US')} ${n === 1 ? kind : `${kind}s`}`

const phrases = (counts: News['added'], did: string): string[] =>
  kinds.filter((kind) => counts[kind] > 0).map((kind) => `${counted(counts[kind], kind)} ${counts[kind] === 1 ? 'was' : 'were'} ${did}`)

/** Describes the changes by others: "2 variables were added and 1 variable was changed"; null: none. */
export function newsWords({ added, changed }: News): string | null {
  const parts = [...phrases(added, 'added'), ...phrases(changed, 'changed')]
  const last = parts.pop()
  if (last === undefined) return null
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}
