import { expect, test } from 'vitest'
import { ancestorsBelow, ancestorsFrom } from '../../electron/queue/ancestors.ts'

const parents = new Map<string, string | null>(Object.entries({ env: 'project', project: null, circle: 'other', other: 'circle' }))

test.each([
  { of: 'a project', parentId: null, expected: [] },
  { of: 'a variable', parentId: 'env', expected: ['env', 'project'] },
  { of: 'a row of an unknown parent', parentId: 'unknown', expected: ['unknown'] },
  { of: 'a row whose parents form a circle', parentId: 'circle', most: 2, expected: ['circle', 'other'] },
])('the ancestors of $of are listed nearest first', ({ parentId, most, expected }) => {
  expect(ancestorsFrom(parentId, (id) => parents.get(id), most)).toEqual(expected)
})

test.each([
  { of: 'a project', row: { id: 'project', kind: 'project', parentId: null, fields: {} }, expected: ['project'] },
  { of: 'an environment', row: { id: 'env', kind: 'environment', parentId: 'project', fields: {} }, expected: ['env', 'project'] },
] as const)('what is right below $of has it as its nearest ancestor', ({ row, expected }) => {
  expect(ancestorsBelow(row)).toEqual(expected)
})
