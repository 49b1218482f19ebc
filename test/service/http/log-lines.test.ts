import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const file = join(import.meta.dirname, '..', '..', '..', 'service', 'http', 'log-lines.ts')

/** What comes out on stderr when these texts are written, in a process of its own that ends by itself. */
const written = async (texts: string): Promise<string> => {
  const script = `import(${JSON.stringify(file)}).then(({ createLogLines }) => { const lines = createLogLines(); for (const text of ${texts}) lines.write(text + '\\n') })`
  const { stderr } = await promisify(execFile)(process.execPath, ['-e', script], { maxBuffer: 10_000_000 })
  return stderr
}

const three = (first: string, second: string, third: string): string => `${first}\n${second}\n${third}\n`

test.each([
  { what: 'few', texts: `['one', 'two', 'three']`, expected: three('one', 'two', 'three') },
  { what: 'other scripts', texts: `['Grüße', '鍵', '🔑']`, expected: three('Grüße', '鍵', '🔑') },
  {
    what: 'one longer than all that is kept',
    texts: `['one', '鍵'.repeat(50000), 'three']`,
    expected: three('one', '鍵'.repeat(50_000), 'three'),
  },
  {
    what: 'more than is kept at a time',
    texts: `Array.from({ length: 5000 }, (_, index) => 'line ' + index)`,
    expected: `${Array.from({ length: 5000 }, (_, index) => `line ${index}`).join('\n')}\n`,
  },
])('lines come out whole and in order: $what', async ({ texts, expected }) => {
  expect(await written(texts)).toBe(expected)
})
