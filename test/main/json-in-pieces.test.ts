import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonInPieces } from '../../electron/main/json-in-pieces.ts'

test('any data of the bridge is read back as what JSON.stringify would have written', () => {
  const data = fc.jsonValue({ stringUnit: 'binary' })
  fc.assert(
    fc.property(data, (value) => {
      expect(JSON.parse(jsonInPieces(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('what is undefined is left out', () => {
  expect(jsonInPieces({ a: undefined, b: [1], c: { d: undefined } })).toBe('{"b":[1],"c":{}}')
})

test.each(['x'.repeat(2000), `${'x'.repeat(499)}🔑${'"\\\n'.repeat(400)}`, `${'x'.repeat(499)}\ud83d`])(
  'a long text survives: %#',
  (text) => {
    expect(JSON.parse(jsonInPieces({ text }))).toEqual({ text })
  },
)
