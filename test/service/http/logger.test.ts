import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = join(import.meta.dirname, '..', '..', '..', 'service', 'http', 'logger.ts')

/** What the logger writes for these fields, in a process of its own. */
const logged = async (fields: string): Promise<string> => {
  const script = `import(${JSON.stringify(file)}).then(({ createLogger }) => createLogger('info').logger.info(${fields}, 'words'))`
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', script])
  return stderr
}

test.each([
  `{ value: 'SENTINEL' }`,
  `{ variables: [{ name: 'A', value: 'SENTINEL' }] }`,
  `{ req: { headers: { authorization: 'Bearer SENTINEL' } } }`,
  `{ apiKey: 'SENTINEL', hash: 'SENTINEL', password: 'SENTINEL', databaseUrl: 'postgres://u:SENTINEL@h/d' }`,
  `{ request: { body: { value: 'SENTINEL' } } }`,
  `{ err: Object.assign(new Error('broken'), { detail: 'Key (value)=(SENTINEL)', parameters: ['SENTINEL'] }) }`,
])('a log line of %s holds no secret', async (fields) => {
  const line = await logged(fields)
  expect(line).toContain('"msg":"words"')
  expect(line).not.toContain('SENTINEL')
})
