import { lintChecks } from './support/lint-checks.ts'
import { runChecks } from './support/run-checks.ts'

const { passed, failed } = await runChecks(lintChecks)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
