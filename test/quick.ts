import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { componentTypes } from './support/lint-checks.ts'
import { runChecks } from './support/run-checks.ts'

/**
 * `npm run test:quick`: types and oxlint of all TypeScript, and the unit tests beside what changed since main. Tests lie in the same folders as
 * their source, so a change of electron/app/bulk runs test/app/bulk. What lies further off is `npm test`'s, and so are the files that take more than
 * five seconds alone, unless they are what changed.
 */

const slow = [
  'test/fuzz/seeds-*.test.ts',
  'test/host/lock-memory.test.ts',
  'test/keychain/os-keychain.test.ts',
  'test/mirror/open-mirror.test.ts',
  'test/mirror/repair/repair-into.test.ts',
  'test/remote/create-remote.test.ts',
  'test/service/{balancer,commands,full-disk,fuzz,heavy,processes}.test.ts',
  'test/sync/adapters/basic.test.ts',
  'test/transfer/read-dotenv.test.ts',
]

const root = path.resolve(import.meta.dirname, '..')
process.chdir(root)

const git = (...args: string[]) => {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n').filter((line) => line !== '') : []
}
const base = git('merge-base', 'HEAD', 'origin/main')[0] ?? git('merge-base', 'HEAD', 'main')[0] ?? 'HEAD'
const changed = [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter((file) =>
  existsSync(file),
)

/** Where the tests of a file lie: itself, or the folder of test/ that mirrors its own. Null: it has none. */
function testsOf(file: string): string | null {
  if (file.endsWith('.test.ts')) return file
  if (file.startsWith('test/e2e/')) return null
  const place = path.posix.dirname(file)
  const folder = place.startsWith('electron/') ? place.replace('electron/', 'test/') : place.startsWith('test/') ? place : `test/${place}`
  return /^(electron|src|service|test)\//.test(file) && folder !== 'test' && existsSync(folder) ? `${folder}/` : null
}
const tests = [...new Set(changed.map(testsOf).filter((place) => place !== null))].toSorted()
const left = slow.filter((glob) => !tests.some((test) => path.matchesGlob(test, glob)))
const seesPage = changed.some((file) => file.endsWith('.svelte'))
const deadlineSeconds = 600

console.log(`${changed.length} files changed since ${base.slice(0, 12)}; tests: ${tests.join(' ') || 'none'}`)
const { passed, failed } = await runChecks([
  ...(tests.length > 0
    ? [
        {
          name: 'tests',
          command: 'vitest',
          args: ['run', '--passWithNoTests', ...left.flatMap((glob) => ['--exclude', glob]), ...tests],
          deadlineSeconds,
        },
      ]
    : []),
  { name: 'types', command: 'oxlint', args: [], deadlineSeconds },
  ...(seesPage ? [componentTypes] : []),
])
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0
