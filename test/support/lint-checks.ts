import type { Check } from './run-checks.ts'

const deadlineSeconds = 900

/** Types of the page's components and of what imports them; types of all TypeScript are oxlint's. */
export const componentTypes: Check = {
  name: 'components',
  command: 'svelte-check',
  args: ['--tsconfig', 'tsconfig.page.json', '--fail-on-warnings'],
  deadlineSeconds,
}

/** Of the two that read each file by itself: a file that was found good and has not changed since is not read again. */
const cached = ['--cache', '--cache-strategy', 'content']

/** Everything `npm run lint` checks, the longest first. */
export const lintChecks: readonly Check[] = [
  { name: 'format', command: 'prettier', args: ['--check', '.', '--log-level', 'warn', ...cached], deadlineSeconds },
  { name: 'walls', command: 'depcruise', args: ['electron', 'service', 'src', 'test', '--output-type', 'err-long'], deadlineSeconds },
  {
    name: 'eslint',
    command: 'eslint',
    args: ['.', '--max-warnings', '0', ...cached, '--cache-location', 'node_modules/.cache/eslint/'],
    deadlineSeconds,
  },
  { name: 'oxlint', command: 'oxlint', args: [], deadlineSeconds },
  { name: 'unused', command: 'knip', args: ['--no-progress'], deadlineSeconds },
  { name: 'lockfile', command: 'node', args: ['test/lock.ts', '--check'], deadlineSeconds },
]
