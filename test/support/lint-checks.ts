import type { Check } from './run-checks.ts'

const deadlineSeconds = 900

/** Everything `npm run lint` checks. */
export const lintChecks: readonly Check[] = [
  { name: 'oxlint', command: 'oxlint', args: [], deadlineSeconds },
  { name: 'eslint', command: 'eslint', args: ['.', '--max-warnings', '0'], deadlineSeconds },
  { name: 'format', command: 'prettier', args: ['--check', '.', '--log-level', 'warn'], deadlineSeconds },
  { name: 'walls', command: 'depcruise', args: ['electron', 'service', 'src', 'test', '--output-type', 'err-long'], deadlineSeconds },
  { name: 'unused', command: 'knip', args: ['--no-progress'], deadlineSeconds },
]
