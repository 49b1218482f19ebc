import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'

/**
 * `node test/disk/main.ts [--games N] [--acts N] [--seed N]`: one user of the browser host on a small disk of its own, which is full again and
 * again, while the host is killed in the middle of edits and imports. Half of the games have a local workspace, whose service is on that disk
 * too, half one of a team. What the application said was saved must be there, and what it refused must not. Linux alone, as root: it mounts.
 */
const { values } = parseArgs({
  options: { games: { type: 'string', default: '10' }, acts: { type: 'string', default: '30' }, seed: { type: 'string' } },
})
const [games, acts, first] = [values.games, values.acts, values.seed ?? randomBytes(3).readUIntBE(0, 3)].map(Number) as [
  number,
  number,
  number,
]
if (![games, acts, first].every(Number.isInteger)) {
  console.error('Usage: node test/disk/main.ts [--games N] [--acts N] [--seed N]')
  process.exit(2)
}

/** The disk exists only for the process that runs the game. */
const mount = 'mount -t tmpfs -o size=120m tmpfs "$1" && shift && exec "$@"'
const node = [process.execPath, path.join(import.meta.dirname, 'play.ts')]
const totals = { acts: 0, refused: 0, kills: 0 }
let failed = 0
for (let seed = first; seed < first + games; seed++) {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-small-disk-'))
  const [disk, elsewhere] = [path.join(folder, 'disk'), path.join(folder, 'elsewhere')]
  for (const dir of [disk, elsewhere]) mkdirSync(dir)
  const run = spawnSync('unshare', ['-m', 'sh', '-c', mount, 'sh', disk, ...node, disk, elsewhere, `${seed}`, `${acts}`], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true, force: true })
  if (run.status === 0) {
    const counts = JSON.parse(run.stdout) as typeof totals
    for (const key of ['acts', 'refused', 'kills'] as const) totals[key] += counts[key]
  } else {
    failed += 1
    console.error(`Failed: --games 1 --acts ${acts} --seed ${seed}\n${run.stdout}${run.stderr}`)
  }
}
console.log(
  `${games} games on a full disk from seed ${first}: ${totals.acts} acts, ${totals.refused} refused, ${totals.kills} kills; ${failed} failed`,
)
process.exitCode = failed > 0 ? 1 : 0
