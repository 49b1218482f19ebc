import { expect, test } from 'vitest'
import { namesToldApart, twinNameProblem } from '../../../src/domain/twin-name-words.ts'

const others = [
  { id: 'a', name: 'Production' },
  { id: 'b', name: 'Staging' },
]

test.each([
  ['a name of its own', { id: 'c', name: 'Preview' }, null],
  ['its own name, listed already', { id: 'a', name: 'Production' }, null],
  ['the name in other letters', { id: 'c', name: 'production' }, null],
  ['the name of another', { id: 'c', name: ' Production ' }, 'Production already exists here. Choose another name.'],
  ['the name of another, still to be created', { id: null, name: 'Staging' }, 'Staging already exists here. Choose another name.'],
])('an environment with %s', (_, row, words) => {
  expect(twinNameProblem(row, others)).toBe(words)
})

test('names that several have are followed by their slugs, others are left alone', () => {
  const rows = [
    { id: 'a', name: 'Production', slug: 'production' },
    { id: 'b', name: 'Production', slug: 'production-2' },
    { id: 'c', name: 'Staging', slug: 'staging' },
  ]
  expect(namesToldApart(rows).map(({ name }) => name)).toEqual(['Production (production)', 'Production (production-2)', 'Staging'])
})
