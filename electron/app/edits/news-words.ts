import type { News } from '../../mirror/past-layer.ts'

type Counted = keyof News['added']

const kinds: readonly Counted[] = ['project', 'environment', 'variable', 'version']

const counted = (n: number, kind: Counted): string => `${n.toLocaleString('en-US')} ${n === 1 ? kind : `${kind}s`}`

const phrases = (counts: Partial<News['added']>, did: string): string[] =>
  kinds.flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count > 0 ? [`${counted(count, kind)} ${count === 1 ? 'was' : 'were'} ${did}`] : []
  })

/** Describes remote changes: "2 variables were added and 1 variable was changed"; null: there are none. */
export function newsWords({ added, changed }: News): string | null {
  const parts = [...phrases(added, 'added'), ...phrases(changed, 'changed')]
  const last = parts.pop()
  if (last === undefined) return null
  return parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}
