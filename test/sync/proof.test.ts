import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '../..')
const rows = readFileSync(path.join(root, 'docs/sync-proof.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const [, promise, file, name] = /^\| (.+?) +\| (test\/[\w./-]+): (.+?) +\|$/.exec(line) ?? []
    return promise === undefined || file === undefined || name === undefined ? [] : [{ promise, file, name }]
  })

test.each(rows)('"$promise" has a test of that name', ({ file, name }) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toContain(name)
})

test('every row of the page was read', () => {
  const lines = readFileSync(path.join(root, 'docs/sync-proof.md'), 'utf8').split('\n')
  expect(rows).toHaveLength(lines.filter((line) => line.includes('test/') && line.startsWith('|')).length)
})
