import { expect, test } from 'vitest'
import { tally } from '../../../src/domain/tally.ts'

test.each<[Parameters<typeof tally>, string]>([
  [
    [
      [
        [2, 'added'],
        [0, 'changed'],
        [1000, 'removed'],
      ],
    ],
    '2 added, 1,000 removed',
  ],
  [
    [
      [
        [1, 'new'],
        [1, 'invalid'],
      ],
      ' · ',
    ],
    '1 new · 1 invalid',
  ],
  [[[[0, 'added']]], ''],
])('%j is told as %j', (given, told) => {
  expect(tally(...given)).toBe(told)
})
