import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonProblem } from '../../../src/domain/json-problem.ts'
import { reformatJson } from '../../../src/domain/reformat-json.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

describe('a problem in JSON', () => {
  test.each([
    ['{"a": 1,}', 1, 9, 'A name in double quotes is missing here.'],
    ['{"a" 1}', 1, 6, 'A colon is missing here.'],
    ['{"a": 1 "b": 2}', 1, 9, 'A comma or the closing bracket is missing here.'],
    ['[1, 2', 1, 6, 'A comma or the closing bracket is missing here.'],
    ['{\n  "a": tru\n}', 2, 8, 'Not a valid JSON value. Put text in double quotes.'],
    ["{'a': 1}", 1, 2, 'Use double quotes for strings.'],
    ['["a\nb"]', 1, 4, 'A string can’t span lines.'],
    ['["a]', 1, 2, 'The closing quote of this string is missing.'],
    ['["\\x"]', 1, 3, 'Not a valid escape sequence.'],
    ['{} {}', 1, 4, 'The JSON ends before this. Remove the rest.'],
    ['[1}', 1, 3, 'A comma or the closing bracket is missing here.'],
    ['', 1, 1, 'A value is missing here.'],
    ['[01]', 1, 2, 'Not a valid JSON value. Put text in double quotes.'],
  ])('%j is at line %i, column %i', (text, line, column, message) => {
    expect(jsonProblem(text)).toMatchObject({ line, column, message })
  })

  test('is found exactly where the platform finds one', () => {
    const broken = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', '1', '\\', '\n', ' '))
      .map(([text, at, put]) => text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1))
    fc.assert(
      fc.property(fc.oneof(fc.json(), broken, fc.string()), (text) => (jsonProblem(text) === null) === isJson(text)),
      { numRuns: 3000 },
    )
  })

  test('is looked for in megabytes and a hundred thousand brackets without running out of stack', () => {
    expect(jsonProblem(`["${'\\n'.repeat(1_000_000)}"]`)).toBeNull()
    expect(jsonProblem('['.repeat(100_000))?.column).toBe(100_001)
  })
})

describe('JSON laid out anew', () => {
  test.each([
    [
      '{"a":1,"b":[],"c":{},"d":[1,{"e":null}]}',
      '{\n  "a": 1,\n  "b": [],\n  "c": {},\n  "d": [\n    1,\n    {\n      "e": null\n    }\n  ]\n}',
    ],
    ['12.0', '12.0'],
    ['{"big":12345678901234567890,"a":1.10,"a":2}', '{\n  "big": 12345678901234567890,\n  "a": 1.10,\n  "a": 2\n}'],
  ])('%s keeps every number and name as it was typed', (text, pretty) => {
    expect(reformatJson(text, 'pretty')).toBe(pretty)
    expect(reformatJson(pretty, 'compact')).toBe(text)
  })

  test('means the same, and looks as the platform lays it out', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1, 2, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent)
        expect(reformatJson(text, 'pretty')).toBe(JSON.stringify(JSON.parse(text), null, 2))
        expect(reformatJson(text, 'compact')).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
  })

  test.each(['{"a":}', '', 'text'])('%j, which is none, is left alone', (text) => {
    expect(reformatJson(text, 'pretty')).toBeNull()
  })
})
