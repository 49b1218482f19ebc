import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isReferable, outlineOf, parseValue, renameReferences, written } from '../../electron/references/parse-value.ts'
import { seed, seeded } from '../cipher/seeded.ts'

const nasty = fc
  .array(fc.constantFrom('$', '{', '}', '${', '$${', '${A}', '${a.B}', 'A', '.', '-', ' ', '\n', 'é', ':-'), { maxLength: 20 })
  .map((parts) => parts.join(''))

describe('parseValue', () => {
  test.each([
    ['', []],
    ['plain $HOME {x}', ['plain $HOME {x}']],
    ['${A}', [{ A: 1 }]],
    ['http://${HOST}:${PORT}/', ['http://', { HOST: 1 }, ':', { PORT: 1 }, '/']],
    ['${staging.DB-url.1}', [{ 'staging.DB-url.1': 1 }]],
    ['${größe}', [{ größe: 1 }]],
    ['$${A}', ['${A}']],
    ['$$${A}', ['$${A}']],
    ['$${A}${B}', ['${A}', { B: 1 }]],
    ['${}${ A }${A:-x}${A', ['${}${ A }${A:-x}${A']],
  ])('%j', (value, parts) => {
    const short = parseValue(value).map((part) => (part.kind === 'text' ? part.text : { [part.source]: 1 }))
    expect(short).toEqual(parts)
  })

  test(seeded('loses nothing but the dollars of escapes'), () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const again = parseValue(value).map((part) =>
          part.kind === 'text' ? part.text.replaceAll('${', () => '$${') : written(part.source),
        )
        // A text `${` that begins no reference may be written either way.
        expect(parseValue(again.join(''))).toEqual(parseValue(value))
      }),
      { seed, numRuns: 20_000 },
    )
  })

  test(seeded('agrees with the outline'), () => {
    fc.assert(
      fc.property(nasty, (value) => {
        const parts = parseValue(value)
        expect(outlineOf(value)).toEqual({
          length: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('').length,
          sources: parts.flatMap((part) => (part.kind === 'reference' ? [part.source] : [])),
        })
        expect(outlineOf(value).sources.every(isReferable)).toBe(true)
      }),
      { seed, numRuns: 5000 },
    )
  })

  test.each([
    ['dollars', '$'.repeat(3_000_000)],
    ['openings', '${'.repeat(1_500_000)],
    ['one long name', `\${${'a'.repeat(3_000_000)}`],
    ['names without an end', '${a'.repeat(1_000_000)],
  ])('three megabytes of %s take no time', (_, value) => {
    expect(outlineOf(value).sources).toEqual([])
  })
})

test.each([
  ['http://${HOST}:${PORT}/${HOST}', 'http://${NAME}:${PORT}/${NAME}'],
  ['$${HOST} and ${staging.HOST} and ${HOST_B}', null],
  ['plain HOST', null],
])('of %j the references to HOST are renamed: %j', (text, renamed) => {
  expect(renameReferences(text, new Map([['HOST', 'NAME']]))).toBe(renamed)
})
