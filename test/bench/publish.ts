import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartOf } from './support/chart.ts'
import type { Published, Results } from './support/results.ts'
import { summarize } from './support/row.ts'
import { tableOf } from './support/table.ts'

/**
 * Puts what `npm run bench` measured into the documents: `node test/bench/publish.ts` adds the cases of bench-results.json, if there is one, to
 * docs/performance.json, and draws the chart and the tables under docs/ from that.
 */
const docs = join(import.meta.dirname, '..', '..', 'docs')
const kept = join(docs, 'performance.json')
const published = JSON.parse(readFileSync(kept, 'utf8')) as Published
const fresh = existsSync('bench-results.json') ? (JSON.parse(readFileSync('bench-results.json', 'utf8')) as Results) : {}
/** More digits than any reader needs. */
const rounded = (_key: string, value: unknown): unknown => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)
const text = JSON.stringify(
  Object.fromEntries(
    Object.entries({ ...published, ...fresh })
      .map(([name, { at, on, measured }]) => [name, { at, on, measured }] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ),
  rounded,
  2,
)
writeFileSync(kept, `${text}\n`)
// The tables and the chart are drawn from what is kept, so that they are the same when they are drawn again.
const byName = JSON.parse(text) as Published
const cases = Object.entries(byName)

const missing = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts' && file !== 'publish.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !(name in byName))
const tables = cases.map(([name, { at, on, measured }]) => ({ name, when: `${at.slice(0, 10)}, ${on}`, rows: measured.map(summarize) }))
writeFileSync(
  join(docs, 'performance.svg'),
  chartOf(
    tables.flatMap(({ rows }) => rows),
    [
      'Medians. Bars are how many times better or worse than the goal.',
      ...(missing.length === 0 ? [] : [`Not measured here: ${missing.join(', ')}.`]),
    ],
  ),
)
const page = join(docs, 'performance.md')
const [head = '', , foot = ''] = readFileSync(page, 'utf8').split(/<!-- (?:figures|end of figures) -->/)
const figures = tables.map(({ name, when, rows }) => tableOf(name, when, rows)).join('\n')
writeFileSync(page, `${head}<!-- figures -->\n\n${figures}\n<!-- end of figures -->${foot}`)
