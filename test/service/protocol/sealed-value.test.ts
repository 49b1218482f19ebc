import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sealedValueProblem } from '../../../service/protocol/sealed-value.ts'

describe('a sealed value', () => {
  test('of 28 bytes or more is well-formed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 28, maxLength: 200 }), (bytes) => {
        expect(sealedValueProblem(`v1:${Buffer.from(bytes).toString('base64')}`)).toBeNull()
      }),
      { verbose: true },
    )
  })

  test('of fewer bytes is not', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 27 }), (bytes) => {
        expect(sealedValueProblem(`v1:${Buffer.from(bytes).toString('base64')}`)).not.toBeNull()
      }),
      { verbose: true },
    )
  })

  test('has one spelling: any other text of its bytes is refused', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 28, maxLength: 60 }),
        fc.nat(),
        fc.constantFrom(...'ABCZaz09+/=-_ \n'),
        (bytes, at, character) => {
          const text = Buffer.from(bytes).toString('base64')
          const place = at % text.length
          const other = `${text.slice(0, place)}${character}${text.slice(place + 1)}`
          const accepted = sealedValueProblem(`v1:${other}`) === null
          expect(accepted).toBe(Buffer.from(other, 'base64').toString('base64') === other && Buffer.from(other, 'base64').length >= 28)
        },
      ),
      { verbose: true },
    )
  })

  test('of 4 MiB is looked at in one pass', () => {
    expect(sealedValueProblem(`v1:${Buffer.alloc(3_145_700).toString('base64')}`)).toBeNull()
    expect(sealedValueProblem(`v1:${'A'.repeat(4_194_299)}*`)).not.toBeNull()
  })
})
