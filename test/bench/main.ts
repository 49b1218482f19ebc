import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Results } from './support/results.ts'
import { NotMeasuredError, spreadText, summarize } from './support/row.ts'
import type { Bench, Row, Summary } from './support/row.ts'

const folder = import.meta.dirname
const file = 'bench-results.json'
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== 'main.ts' && name !== 'publish.ts')
  .map((name) => name.slice(0, -'.ts'.length))
  .sort()

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !cases.includes(name))
if (unknown.length > 0) {
  console.error(`There is no case named ${unknown.join(', ')}. There are: ${cases.join(', ')}.`)
  process.exit(1)
}

const line = ({ what, unit, ours, rival, ratio, goal, met }: Summary): Record<string, string> => ({
  what,
  unit,
  ours: spreadText(ours),
  rival: rival === null ? '' : `${spreadText(rival)} ${rival.what}`,
  ratio: ratio === null ? '' : spreadText(ratio),
  goal: goal ?? '',
  met: met === null ? '' : met ? 'yes' : 'NO',
})

/** What earlier runs of other cases have left is kept, so that a case can be measured again alone. */
const results = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {}
const on = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version.slice(1)}`

const measure = async (name: string): Promise<Row[] | NotMeasuredError> => {
  const { bench } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { bench: Bench }
  try {
    return await bench()
  } catch (error) {
    if (error instanceof NotMeasuredError) return error
    throw error
  }
}

for (const name of wanted.length === 0 ? cases : wanted) {
  console.log(name)
  const rows = await measure(name)
  if (rows instanceof NotMeasuredError) {
    console.log(`  not measured: ${rows.message}`)
    continue
  }
  const summaries = rows.map(summarize)
  console.table(summaries.map(line))
  results[name] = { at: new Date().toISOString(), on, rows: summaries, measured: rows }
  // After each case: a run that is cut short keeps what it has.
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
}
console.log(`Written to ${file}.`)
process.exit(0)
