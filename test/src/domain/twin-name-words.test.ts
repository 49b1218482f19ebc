import { expect, test } from 'vitest'
import { namesToldApart, twinNameWords } from '../../../src/domain/twin-name-words.ts'

const others = [
  { id: 'a', name: 'Production' },
  { id: 'b', name: 'Staging' },
]

test.each([
  ['a name of its own', { id: 'c', name: 'Preview' }, null],
  ['its own name, listed already', { id: 'a', name: 'Production' }, null],
  ['the name in other letters', { id: 'c', name: 'production' }, null],
  ['the name of another', { id: 'c', name: ' Production ' }, /^Another environment of this project is also called “Production”\./],
])('an environment with %s', (_, row, words) => {
  const said = twinNameWords('environment', row, others)
  if (words === null) expect(said).toBeNull()
  else expect(said).toMatch(words)
})

test('names that several have are followed by their slugs, others are left alone', () => {
  const rows = [
    { id: 'a', name: 'Production', slug: 'production' },
    { id: 'b', name: 'Production', slug: 'production-2' },
    { id: 'c', name: 'Staging', slug: 'staging' },
  ]
  expect(namesToldApart(rows).map(({ name }) => name)).toEqual(['Production (production)', 'Production (production-2)', 'Staging'])
})
