import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * `npm run lock` updates package-lock.json after a change of package.json; `node test/lock.ts --check` says whether it has to.
 * It leaves out which Node each package asks for: npm compares that with the Node that runs npm and warns, but these packages
 * run on the Node 26 among them. What Holdfast itself asks for stays, and is the one thing npm warns about. Optional packages
 * keep theirs, because npm installs those only where it fits.
 */

interface LockedPackage {
  engines?: unknown
  optional?: boolean
}

const file = path.resolve(import.meta.dirname, '../package-lock.json')
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(file, 'utf8'))
const told = Object.entries(lock.packages).filter(([at, locked]) => at !== '' && locked.optional !== true && locked.engines !== undefined)

if (process.argv.includes('--check')) {
  if (told.length > 0) process.stderr.write(`package-lock.json names engines of ${told.map(([at]) => at).join(', ')}.\nRun: npm run lock\n`)
  process.exitCode = told.length > 0 ? 1 : 0
} else {
  for (const [, locked] of told) delete locked.engines
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
}
