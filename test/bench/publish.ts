import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chartOf } from './support/chart.ts'
import type { Results } from './support/results.ts'
import { tableOf } from './support/table.ts'

/**
 * Puts what `npm run bench` measured into the documents: `node test/bench/publish.ts` reads bench-results.json and writes the figures, their chart and
 * their table under docs/.
 */
const docs = join(import.meta.dirname, '..', '..', 'docs')
const { node, machine, cases } = JSON.parse(readFileSync('bench-results.json', 'utf8')) as Results
const names = Object.keys(cases).sort()
const missing = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts' && file !== 'publish.ts' && !names.includes(file.slice(0, -3)))
  .map((file) => file.slice(0, -3))
const rows = names.flatMap((name) => cases[name]?.rows ?? [])
const caption = `Medians on ${machine}, Node ${node.slice(1)}. Bars are how many times better or worse than the goal.`
writeFileSync(
  join(docs, 'performance.svg'),
  chartOf(rows, [caption, ...(missing.length === 0 ? [] : [`Not measured here: ${missing.join(', ')}.`])]),
)
const page = join(docs, 'performance.md')
const [before = '', , after = ''] = readFileSync(page, 'utf8').split(/<!-- (?:figures|end of figures) -->/)
const table = names.map((name) => tableOf(name, cases[name]?.rows ?? [])).join('\n')
writeFileSync(page, `${before}<!-- figures -->\n\n${caption.split('.')[0]}.\n\n${table}\n<!-- end of figures -->${after}`)
