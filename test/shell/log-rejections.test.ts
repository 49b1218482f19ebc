import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a promise that fails with nobody waiting ends nothing, and its words stay out of the log', () => {
  const module = join(import.meta.dirname, '../../electron/shell/log-rejections.ts')
  const script = `import { logRejections } from ${JSON.stringify(module)}
    logRejections((level, message, data) => console.log(JSON.stringify({ level, message, name: data.name, all: JSON.stringify(data) })))
    void Promise.reject(new RangeError('the value is s3cret'))
    setTimeout(() => console.log('still here'), 50)`
  const run = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  const [logged = '', after] = run.stdout.trim().split('\n')
  expect(JSON.parse(logged)).toMatchObject({ level: 'error', message: 'unhandled rejection', name: 'RangeError' })
  expect(run.stdout + run.stderr).not.toContain('s3cret')
  expect(after).toBe('still here')
  expect(run.status).toBe(0)
})
