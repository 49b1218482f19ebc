import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { shippedFlaws, shippedPackages } from './support/shipped-packages.ts'

/** `npm run audit`: fails if what users run has a known vulnerability, of moderate severity or above. */

const root = path.resolve(import.meta.dirname, '..')
const npm = process.env['npm_execpath']
if (npm === undefined) throw new Error('Run this as: npm run audit')
const { stdout } = spawnSync(process.execPath, [npm, 'audit', '--json'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const flaws = shippedFlaws(stdout, shippedPackages(root))
for (const flaw of flaws) process.stderr.write(`${flaw}\n`)
process.exitCode = flaws.length > 0 ? 1 : 0
