import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { mutations } from './mutation-table.ts'

const root = path.resolve(import.meta.dirname, '../..')

test.each(mutations)('the deliberate bug "$bug" still fits its source', ({ file, from, to }) => {
  expect(readFileSync(path.join(root, file), 'utf8').split(from)).toHaveLength(2)
  expect(to).not.toBe(from)
})
