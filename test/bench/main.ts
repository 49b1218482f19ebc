import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** One line of a bench's table. */
export type BenchRow = Record<string, string | number>

/** What a bench module exports as `bench`: it measures and gives its table. */
export type Bench = () => Promise<BenchRow[]>

const folder = import.meta.dirname
const benches = readdirSync(folder)
  .filter((file) => file.endsWith('.ts') && file !== 'main.ts')
  .map((file) => file.slice(0, -'.ts'.length))
  .sort()

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !benches.includes(name))
if (unknown.length > 0) {
  console.error(`There is no bench named ${unknown.join(', ')}. There are: ${benches.join(', ')}.`)
  process.exit(1)
}

const results: Record<string, BenchRow[]> = {}
for (const name of wanted.length === 0 ? benches : wanted) {
  const { bench } = (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as { bench: Bench }
  console.log(name)
  const rows = await bench()
  console.table(rows)
  results[name] = rows
}
writeFileSync('bench-results.json', `${JSON.stringify({ at: new Date().toISOString(), node: process.version, results }, null, 2)}\n`)
console.log('Written to bench-results.json.')
