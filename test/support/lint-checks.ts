import type { Check } from './run-checks.ts'

const deadlineSeconds = 900

/** Everything `npm run lint` checks, the longest first. */
export const lintChecks: readonly Check[] = [
  { name: 'format', command: 'prettier', args: ['--check', '.', '--log-level', 'warn'], deadlineSeconds },
  { name: 'walls', command: 'depcruise', args: ['electron', 'service', 'src', 'test', '--output-type', 'err-long'], deadlineSeconds },
  { name: 'eslint', command: 'eslint', args: ['.', '--max-warnings', '0'], deadlineSeconds },
  { name: 'oxlint', command: 'oxlint', args: [], deadlineSeconds },
  { name: 'unused', command: 'knip', args: ['--no-progress'], deadlineSeconds },
  { name: 'lockfile', command: 'node', args: ['test/lock.ts', '--check'], deadlineSeconds },
]
