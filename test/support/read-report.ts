import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import type { KnownFlaky } from './known-flaky.ts'
import type { Counts } from './run-checks.ts'

export interface Report {
  counts: Counts
  /** Files of vitest or tests of Playwright, with how long each took. */
  took: { name: string; seconds: number }[]
  /** The names of tests that failed first and passed when tried again, each counted as failed unless it is listed. */
  flaky: string[]
}

/** The parts of a vitest JSON report that count. */
const vitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    numPendingTests: z.int(),
    numTodoTests: z.int(),
    testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
  })
  .transform((report): Report => ({
    counts: {
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      skipped: report.numPendingTests + report.numTodoTests,
    },
    took: report.testResults.map(({ name, startTime, endTime }) => ({
      name: path.relative(process.cwd(), name),
      seconds: (endTime - startTime) / 1000,
    })),
    flaky: [],
  }))

const playwrightTest = z.object({
  projectName: z.string(),
  status: z.enum(['expected', 'unexpected', 'flaky', 'skipped']),
  results: z.array(z.object({ duration: z.number() })),
})
const playwrightSuite = z.object({
  specs: z.array(z.object({ title: z.string(), file: z.string(), tests: z.array(playwrightTest) })),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})
type PlaywrightSuite = z.infer<typeof playwrightSuite>

const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [...suite.specs, ...(suite.suites ?? []).flatMap(specsOf)]

/** The parts of a Playwright JSON report that count. */
const playwrightReport = z.object({ suites: z.array(playwrightSuite) }).transform(({ suites }): Report => {
  const tests = suites
    .flatMap(specsOf)
    .flatMap(({ file, title, tests: runs }) => runs.map((run) => ({ ...run, name: `${file} › ${title}` })))
  const count = (...wanted: string[]) => tests.filter(({ status }) => wanted.includes(status)).length
  return {
    counts: { passed: count('expected', 'flaky'), failed: count('unexpected'), skipped: count('skipped') },
    took: tests.map(({ name, projectName, results }) => ({
      name: `[${projectName}] ${name}`,
      seconds: results.reduce((sum, { duration }) => sum + duration, 0) / 1000,
    })),
    flaky: tests.filter(({ status }) => status === 'flaky').map(({ name }) => name),
  }
})

const formats = { vitest: vitestReport, playwright: playwrightReport }

/**
 * What a test runner reported, read from the JSON file it wrote. A run that exited with an error
 * without a failed test in its report (it crashed, a file did not load, the report is missing) counts as one failed.
 */
export async function readReport(runner: keyof typeof formats, file: string, exitCode: number | null, known: KnownFlaky): Promise<Report> {
  const report = await readFile(file, 'utf8')
    .then((text) => formats[runner].parse(JSON.parse(text)))
    .catch((): Report => ({ counts: { passed: 0, failed: 0, skipped: 0 }, took: [], flaky: [] }))
  const { passed, failed, skipped } = report.counts
  const ranNothing = passed + failed + skipped === 0
  const crashed = ranNothing || (exitCode !== 0 && failed === 0) ? 1 : 0
  const unlisted = report.flaky.filter((name) => !known.some(({ test }) => test === name)).length
  return { ...report, counts: { passed: passed - unlisted, failed: failed + crashed + unlisted, skipped } }
}
