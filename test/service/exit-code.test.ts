import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { expect, test } from 'vitest'

test('a program that starts a PostgreSQL for tests ends with the exit code that it set', () => {
  const file = pathToFileURL(path.resolve(import.meta.dirname, 'support/start-postgres.ts')).href
  const program = `const { startPostgres } = await import(${JSON.stringify(file)})
    const { stop } = await startPostgres()
    process.exitCode = 3
    await stop()`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  expect({ status, stderr }).toMatchObject({ status: 3 })
})
