import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changedFields, fieldNames, pickFields, sameField, type Fields, type SealedValue } from '../../electron/queue/fields.ts'
import { sealed } from './a-change.ts'

const untagged = (text: string): SealedValue => ({ ...sealed(text), tag: null })

describe('sameField', () => {
  test.each([
    { a: 'x', b: 'x', same: true, because: 'texts are equal' },
    { a: 'x', b: 'y', same: false, because: 'texts differ' },
    { a: undefined, b: undefined, same: true, because: 'both are unknown' },
    { a: undefined, b: false, same: false, because: 'unknown is not false' },
    { a: sealed('1', 1), b: sealed('1', 2), same: true, because: 'other bytes carry the same tag' },
    { a: sealed('1', 1), b: sealed('2', 1), same: false, because: 'the tags differ' },
    { a: { ...sealed('1'), keyId: 'other' }, b: sealed('1', 2), same: false, because: 'tags of two keys do not compare' },
    { a: { ...sealed('1'), keyId: 'other' }, b: sealed('1'), same: true, because: 'equal bytes prove equality under any key' },
    { a: untagged('1'), b: untagged('1'), same: true, because: 'equal bytes need no tag' },
    { a: untagged('1'), b: { ...untagged('2') }, same: false, because: 'two values that nothing opens cannot be compared' },
    { a: sealed('1'), b: 'x', same: false, because: 'a value is not a text' },
  ])('is $same when $because', ({ a, b, same }) => {
    expect(sameField(a, b)).toBe(same)
    expect(sameField(b, a)).toBe(same)
  })
})

const anyFields: fc.Arbitrary<Fields> = fc.record(
  {
    name: fc.constantFrom('A', 'B', 'C'),
    slug: fc.constantFrom('a', 'b'),
    value: fc.tuple(fc.constantFrom('1', '2'), fc.integer({ min: 1, max: 2 })).map(([text, iv]) => sealed(text, iv)),
    type: fc.constantFrom('string' as const, 'number' as const),
    isSecret: fc.boolean(),
  },
  { requiredKeys: [] },
)

describe('changedFields', () => {
  test('nothing changes a row less than its own fields', () => {
    fc.assert(
      fc.property(anyFields, (fields) => {
        expect(changedFields(fields, fields)).toEqual({})
      }),
    )
  })

  test('the changed fields applied give the same row as the whole patch', () => {
    fc.assert(
      fc.property(anyFields, anyFields, (fields, patch) => {
        const left: Fields = { ...fields, ...changedFields(fields, patch) }
        const right: Fields = { ...fields, ...patch }
        for (const name of fieldNames) expect(sameField(left[name], right[name])).toBe(true)
      }),
    )
  })

  test('a field that the patch leaves undefined is not changed', () => {
    expect(changedFields({ name: 'A' }, { name: undefined, isSecret: true })).toEqual({ isSecret: true })
  })
})

test('pickFields leaves out what is not known', () => {
  expect(pickFields({ name: 'A', type: undefined, isSecret: false }, ['name', 'type', 'isSecret', 'slug'])).toEqual({
    name: 'A',
    isSecret: false,
  })
})
