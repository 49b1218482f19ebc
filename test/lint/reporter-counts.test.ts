import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reporterCounts } from '../support/reporter-counts.ts'
import type { Counts } from '../support/run-checks.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-counts-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const vitest = (passed: number, failed: number, pending = 0, todo = 0) =>
  JSON.stringify({ numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: todo })
const playwright = (expected: number, unexpected: number, flaky = 0, skipped = 0) =>
  JSON.stringify({ stats: { expected, unexpected, flaky, skipped } })

const rows: [what: string, runner: 'vitest' | 'playwright', report: string | null, exitCode: number | null, counts: Counts][] = [
  ['all passed', 'vitest', vitest(5, 0), 0, { passed: 5, failed: 0, skipped: 0, flaky: 0 }],
  ['some failed', 'vitest', vitest(5, 2), 1, { passed: 5, failed: 2, skipped: 0, flaky: 0 }],
  ['pending and todo are skipped', 'vitest', vitest(5, 0, 1, 2), 0, { passed: 5, failed: 0, skipped: 3, flaky: 0 }],
  ['a file that did not load is one failed', 'vitest', vitest(5, 0), 1, { passed: 5, failed: 1, skipped: 0, flaky: 0 }],
  ['a deadline is one failed', 'vitest', vitest(5, 0), null, { passed: 5, failed: 1, skipped: 0, flaky: 0 }],
  ['a missing report is one failed', 'vitest', null, 0, { passed: 0, failed: 1, skipped: 0, flaky: 0 }],
  ['half a report is one failed', 'vitest', '{"numPassedTests": 5', 0, { passed: 0, failed: 1, skipped: 0, flaky: 0 }],
  ['no test at all is one failed', 'playwright', playwright(0, 0), 0, { passed: 0, failed: 1, skipped: 0, flaky: 0 }],
  ['a flaky test passed, and is told apart', 'playwright', playwright(3, 1, 2, 4), 1, { passed: 5, failed: 1, skipped: 4, flaky: 2 }],
]

test.each(rows)('%s (%s)', async (what, runner, report, exitCode, counts) => {
  const file = path.join(folder, `${what}.json`)
  if (report !== null) await writeFile(file, report)
  expect(await reporterCounts(runner, file, exitCode)).toEqual(counts)
})
