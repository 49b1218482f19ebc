import { findNames } from '../../electron/app/find/find-names.ts'
import { createNameIndex } from '../../electron/app/find/name-index.ts'
import type { Bearer } from '../../electron/app/find/workspace-names.ts'
import { nameOf } from './support/data-set.ts'
import { interleave } from './support/rounds.ts'
import { atMost, quantile } from './support/row.ts'
import type { Bench, Row } from './support/row.ts'

const count = 100_000
const names = Array.from({ length: count }, (_, n) => nameOf(n))
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

/** Milliseconds a key over 100,000 distinct names. */
export const bench: Bench = async () => {
  const index = createNameIndex<Bearer>()
  for (const [n, name] of names.entries()) index.add(name, { kind: 'variable', id: `id-${n}`, parentId: 'environment' })
  const places = new Map([['environment', { name: 'Production', parentId: null }]])
  const ours = (text: string) => findNames([{ id: 'workspace', name: 'Ours', names: { index, places } }], text, 50)
  const all = (search: (text: string) => unknown) => typed.flatMap((text) => keys(text, search))
  const seen = await interleave({ ours: () => all(ours), theirs: () => all((text) => rival(text, 50)) }, { warmUps: 2 })
  const row = (what: string, part: number): Row => ({
    what: `find among 100,000 names, a key, ${what}`,
    unit: 'ms',
    ours: seen.ours.map((times) => quantile(times, part)),
    rival: { what: 'regular expression over all', values: seen.theirs.map((times) => quantile(times, part)) },
    goal: atMost(16),
  })
  return [row('median', 0.5), row('p95', 0.95)]
}
