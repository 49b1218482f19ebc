import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const canMount =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs -o size=64k tmpfs /mnt']).status === 0
// The same story with SQLite's own limit of pages, which needs nobody's leave, is told by disk-full.test.ts.
if (!canMount) process.stderr.write('\nSKIPPED: edits and pulls on a real full disk: only root on Linux can mount one.\n')

test.runIf(canMount)('a real disk that is full refuses edits and pulls, loses nothing, and all goes on when there is room', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'holdfast-disk-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const script = path.join(import.meta.dirname, 'full-disk.child.ts')
  const mount = `mount -t tmpfs -o size=2m tmpfs "$1" && exec "$2" "$3" "$1"`
  const run = spawnSync('unshare', ['-m', 'sh', '-c', mount, 'sh', folder, process.execPath, script], {
    encoding: 'utf8',
    timeout: 170_000,
  })
  expect(run.stderr).toBe('')
  const seen = JSON.parse(run.stdout) as Record<string, unknown> & { kept: number }
  expect(seen.kept).toBeGreaterThan(20)
  expect(seen).toEqual({
    refusal: 'SQLITE_FULL',
    kept: seen.kept,
    queued: seen.kept,
    driftWhenFull: 0,
    phase: 'offline',
    problem: { kind: 'disk', message: 'The disk is full. Free some space; your changes are kept.' },
    driftAfterPull: 0,
    unsent: expect.any(Number),
    remounted: 0,
    left: 0,
    same: true,
    rows: 2 + seen.kept + 40,
  })
})
