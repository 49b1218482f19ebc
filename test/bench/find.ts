import { findNames } from '../../electron/app/find/find-names.ts'
import { createNameIndex } from '../../electron/app/find/name-index.ts'
import type { Bearer } from '../../electron/app/find/workspace-names.ts'
import type { Bench } from './main.ts'

const count = 100_000
const words = ['DATABASE', 'SERVICE', 'PAYMENT', 'SESSION', 'CACHE', 'QUEUE', 'MAIL', 'SEARCH', 'ORDER', 'STORAGE', 'METRICS', 'GATEWAY']
const ends = ['URL', 'HOST', 'PORT', 'TOKEN', 'SECRET', 'TIMEOUT_MS', 'ENABLED', 'REGION', 'API_KEY', 'USER', 'PASSWORD', 'LIMIT']
const names = Array.from(
  { length: count },
  (_, n) => `${words[n % 12]}_${words[Math.floor(n / 12) % 12]}_${ends[Math.floor(n / 144) % 12]}_${n}`,
)
const typed = ['database url', 'payment secret 77', 'pgtok', 'e', 'settings that are not there']

/** What is usual without an index: one regular expression a query over every name, all that match sorted. */
const rival = (text: string, limit: number): string[] => {
  const letters = [...text.replaceAll(' ', '')].map((each) => each.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  const pattern = new RegExp(letters.join('.*?'), 'i')
  return names
    .flatMap((name) => {
      const found = pattern.exec(name)
      return found === null ? [] : [{ name, score: found[0].length * 1000 + found.index }]
    })
    .toSorted((a, b) => a.score - b.score)
    .slice(0, limit)
    .map(({ name }) => name)
}

/** Milliseconds of each key while `text` is typed letter by letter. */
const keys = (text: string, search: (typedSoFar: string) => unknown): number[] =>
  Array.from({ length: text.length }, (_, at) => {
    const begun = performance.now()
    search(text.slice(0, at + 1))
    return performance.now() - begun
  })

const at = (sorted: readonly number[], part: number): string =>
  (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0).toFixed(1)

/** Milliseconds a key over 100,000 distinct names; the goal is under 16. */
export const bench: Bench = async () => {
  const begun = performance.now()
  const index = createNameIndex<Bearer>()
  for (const [n, name] of names.entries()) index.add(name, { kind: 'variable', id: `id-${n}`, parentId: 'environment' })
  const built = performance.now() - begun
  const places = new Map([['environment', { name: 'Production', parentId: null }]])
  const ours = (text: string) => findNames([{ id: 'workspace', name: 'Ours', names: { index, places, borne: new Map() } }], text, 50)
  const theirs = (text: string) => rival(text, 50)
  for (let warm = 0; warm < 3; warm += 1) for (const text of typed) keys(text, ours)
  for (const text of typed) keys(text, theirs)
  return typed.map((text) => {
    const [mine, other] = [[...keys(text, ours), ...keys(text, ours), ...keys(text, ours)], keys(text, theirs)].map((times) =>
      times.toSorted((a, b) => a - b),
    ) as [number[], number[]]
    return {
      typed: text,
      'median ms': at(mine, 0.5),
      'p99 ms': at(mine, 0.99),
      'regular expression median ms': at(other, 0.5),
      'regular expression p99 ms': at(other, 0.99),
      'index built ms': built.toFixed(0),
    }
  })
}
