import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownFlaky, knownFlakySchema } from '../support/known-flaky.ts'
import { readReport } from '../support/read-report.ts'
import type { Counts } from '../support/run-checks.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'holdfast-reports-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const vitest = (passed: number, failed: number, pending = 0, todo = 0) =>
  JSON.stringify({
    numPassedTests: passed,
    numFailedTests: failed,
    numPendingTests: pending,
    numTodoTests: todo,
    testResults: [{ name: path.resolve('test/a.test.ts'), startTime: 1000, endTime: 3500 }],
  })

type Status = 'expected' | 'unexpected' | 'flaky' | 'skipped'

/** A report of tests named `1`, `2`, ... in one file, each in a block that is in another. */
const playwright = (...statuses: Status[]) =>
  JSON.stringify({
    suites: [
      {
        specs: [],
        suites: statuses.map((status, at) => ({
          specs: [
            {
              title: `${at + 1}`,
              file: 'a.spec.ts',
              tests: [{ projectName: 'browser', status, results: [{ duration: 1500 }, { duration: 500 }] }],
            },
          ],
        })),
      },
    ],
  })

const rows: [what: string, runner: 'vitest' | 'playwright', report: string | null, exitCode: number | null, counts: Counts][] = [
  ['all passed', 'vitest', vitest(5, 0), 0, { passed: 5, failed: 0, skipped: 0 }],
  ['some failed', 'vitest', vitest(5, 2), 1, { passed: 5, failed: 2, skipped: 0 }],
  ['pending and todo are skipped', 'vitest', vitest(5, 0, 1, 2), 0, { passed: 5, failed: 0, skipped: 3 }],
  ['a file that did not load is one failed', 'vitest', vitest(5, 0), 1, { passed: 5, failed: 1, skipped: 0 }],
  ['a deadline is one failed', 'vitest', vitest(5, 0), null, { passed: 5, failed: 1, skipped: 0 }],
  ['a missing report is one failed', 'vitest', null, 0, { passed: 0, failed: 1, skipped: 0 }],
  ['half a report is one failed', 'vitest', '{"numPassedTests": 5', 0, { passed: 0, failed: 1, skipped: 0 }],
  ['no test at all is one failed', 'playwright', playwright(), 0, { passed: 0, failed: 1, skipped: 0 }],
  [
    'passed, failed and skipped',
    'playwright',
    playwright('expected', 'unexpected', 'skipped', 'expected'),
    1,
    { passed: 2, failed: 1, skipped: 1 },
  ],
  ['a test that is flaky and not listed failed', 'playwright', playwright('expected', 'flaky'), 0, { passed: 1, failed: 1, skipped: 0 }],
  ['a crash is told beside what is flaky', 'playwright', playwright('expected', 'flaky'), 1, { passed: 1, failed: 2, skipped: 0 }],
]

async function read(name: string, runner: 'vitest' | 'playwright', report: string | null, exitCode: number | null, known: string[] = []) {
  const file = path.join(folder, `${name}.json`)
  if (report !== null) await writeFile(file, report)
  const listed = known.map((title) => ({ test: title, reason: 'A reason that is long enough.', since: '2026-01-31' }))
  return readReport(runner, file, exitCode, listed)
}

test.each(rows)('%s (%s)', async (what, runner, report, exitCode, counts) => {
  expect((await read(what, runner, report, exitCode)).counts).toEqual(counts)
})

test('a test that is flaky and listed passed, and is named', async () => {
  const { counts, flaky } = await read('listed', 'playwright', playwright('flaky', 'expected'), 0, ['a.spec.ts › 1', 'a.spec.ts › 7'])
  expect(counts).toEqual({ passed: 2, failed: 0, skipped: 0 })
  expect(flaky).toEqual(['a.spec.ts › 1'])
})

test('every file and test has its time, tries again included', async () => {
  expect((await read('files', 'vitest', vitest(1, 0), 0)).took).toEqual([{ name: path.join('test', 'a.test.ts'), seconds: 2.5 }])
  expect((await read('tests', 'playwright', playwright('expected'), 0)).took).toEqual([{ name: '[browser] a.spec.ts › 1', seconds: 2 }])
})

test('the list of flaky tests has a reason and a date for each', () => {
  expect(knownFlaky()).toBeInstanceOf(Array)
  const entry = { test: 'a.spec.ts › a title', reason: 'It waits for a time, see the plan.', since: '2026-01-31' }
  expect(knownFlakySchema.safeParse([entry]).success).toBe(true)
  for (const wrong of [{ reason: '' }, { since: 'soon' }, { test: 'a title' }, { owner: 'nobody' }])
    expect(knownFlakySchema.safeParse([{ ...entry, ...wrong }]).success).toBe(false)
})
