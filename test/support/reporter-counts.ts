import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Counts } from './run-checks.ts'

/** The part of a vitest JSON report that counts. */
const vitestReport = z
  .object({ numPassedTests: z.int(), numFailedTests: z.int(), numPendingTests: z.int(), numTodoTests: z.int() })
  .transform((report): Counts => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    flaky: 0,
  }))

/** The part of a Playwright JSON report that counts. A flaky test failed and then passed: it counts as passed, and is counted apart. */
const playwrightReport = z
  .object({ stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }) })
  .transform(({ stats }): Counts => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    flaky: stats.flaky,
  }))

const reports = { vitest: vitestReport, playwright: playwrightReport }

/**
 * What a test runner counted, read from the JSON report it wrote. A run that exited with an error
 * without a failed test in its report (it crashed, a file did not load, the report is missing) counts as one failed.
 */
export async function reporterCounts(runner: keyof typeof reports, file: string, exitCode: number | null): Promise<Counts> {
  const counts = await readFile(file, 'utf8')
    .then((text) => reports[runner].parse(JSON.parse(text)))
    .catch((): Counts => ({ passed: 0, failed: 0, skipped: 0, flaky: 0 }))
  const nothingRan = counts.passed + counts.failed + counts.skipped === 0
  return (exitCode !== 0 && counts.failed === 0) || nothingRan ? { ...counts, failed: counts.failed + 1 } : counts
}
