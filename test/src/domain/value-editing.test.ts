import { describe, expect, test } from 'vitest'
import { booleanWord } from '../../../src/domain/boolean-word.ts'
import { nameNote } from '../../../src/domain/name-note.ts'
import { numberNote, valueNote } from '../../../src/domain/value-note.ts'
import { problemWords } from '../../../src/domain/reference-words.ts'
import { referenceAt, withReference } from '../../../src/domain/reference-at.ts'
import { valueLook } from '../../../src/domain/value-look.ts'

describe('a switch for true and false', () => {
  test.each([
    ['true', true, 'false'],
    ['false', false, 'true'],
    ['TRUE', true, 'FALSE'],
    ['False', false, 'True'],
  ])('takes %j as %s and flips it to %j', (text, isOn, flipped) => {
    expect(booleanWord(text)).toEqual({ isOn, flipped })
    expect(booleanWord(flipped)).toEqual({ isOn: !isOn, flipped: text })
  })

  test.each(['', 'yes', '1', ' true', 'true\n'])('cannot show %j, which stays as it was typed', (text) => {
    expect(booleanWord(text)).toBeNull()
  })
})

test.each([
  ['boolean', 'true', 'switch'],
  ['boolean', 'on', 'line'],
  ['boolean', '', 'line'],
  ['number', '12', 'line'],
  ['string', 'plain', 'line'],
  ['string', 'true', 'line'],
  ['string', 'two\nlines', 'code'],
  ['string', 'windows\r\nlines', 'code'],
  ['string', '{"a":1}', 'code'],
  ['string', '[broken json]', 'code'],
  ['string', '{open', 'line'],
  [null, 'x'.repeat(241), 'code'],
  ['number', '[1]', 'line'],
] as const)('a %s of %j is edited in a %s', (type, text, look) => {
  expect(valueLook(type, text)).toBe(look)
})

describe('a note on a value', () => {
  test.each([
    ['number', 'many', 'warn', /isn’t a number/],
    ['number', '1e3', 'plain', /read this as 1000/],
    ['number', '0x10', 'plain', /read this as 16/],
    ['number', '007', 'plain', /read this as 7/],
    ['number', '12345678901234567890', 'plain', /about 15 digits/],
    ['number', '1.10', null, null],
    ['number', '-42', null, null],
    ['number', '', 'warn', /isn’t a number/],
    ['boolean', 'yes', 'warn', /true or false/],
    ['string', ' x', 'warn', /starts with a space/],
    ['string', 'x\ny\n', 'warn', /ends with a line break/],
    ['string', '\tx ', 'warn', /starts with a tab and ends with a space/],
    ['string', ' x ', 'warn', /starts and ends with a space/],
    ['string', '  ', 'warn', /is only spaces/],
    ['string', '{"a":}', 'warn', /line 1, column 6/],
    ['string', '', 'plain', /will be empty/],
    ['string', 'x', null, null],
  ] as const)('%s %j: %s', (type, text, tone, words) => {
    const note = valueNote(type, text)
    expect(note?.tone ?? null).toBe(tone)
    if (words !== null) expect(note?.text).toMatch(words)
  })

  test.each(['0', '1', '-1.5', '1000000', '0.1', '123456789012345'])('has nothing to say of the number %s', (text) => {
    expect(numberNote(text)).toBeNull()
  })

  // A service or another member can put such a value into a variable. Each takes hours where a pattern is quadratic; the run's own time
  // limit would end it.
  test.each([
    ['zeros before a last digit', (zeros: string) => `0.1${zeros}1`, '0.1'],
    ['zeros with an exponent', (zeros: string) => `${zeros}e5`, '0'],
    ['leading zeros', (zeros: string) => `${zeros}7`, '7'],
    ['zeros on both sides of the point', (zeros: string) => `${zeros}1.${zeros}1`, '1'],
  ])('reads a number of megabytes of %s', (_, textOf, read) => {
    expect(valueNote('number', textOf('0'.repeat(1_400_000)))?.text).toContain(`read this as ${read}`)
  })
})

describe('a note on a name', () => {
  test.each([
    ['', false, null],
    ['PORT', false, null],
    ['PORT', true, 'bad'],
    ['a/b', false, 'bad'],
    ['a-b', false, 'warn'],
    [' PORT', false, 'plain'],
  ] as const)('%j, taken: %s', (name, isTaken, tone) => {
    expect(nameNote(name, isTaken)?.tone ?? null).toBe(tone)
  })
})

test('an invisible character in a name is named', () => {
  expect(nameNote('TOK\u200bEN', false)).toEqual({
    tone: 'warn',
    text: 'The name contains an invisible character (U+200B). You can still save it.',
  })
})

describe('a reference being typed', () => {
  test.each([
    ['${', 2, { from: 2, to: 2, typed: '', isClosed: false }],
    ['${HO', 4, { from: 2, to: 4, typed: 'HO', isClosed: false }],
    ['a ${HOST} b', 6, { from: 4, to: 8, typed: 'HO', isClosed: true }],
    ['${staging.HO', 12, { from: 2, to: 12, typed: 'staging.HO', isClosed: false }],
    ['$HO', 3, null],
    ['$${HO', 5, null],
    ['${HOST} x', 9, null],
    ['${A:-b', 6, null],
  ])('in %j at %i', (text, caret, open) => {
    expect(referenceAt(text, caret)).toEqual(open)
  })

  test.each([
    ['${HO', 4, 'HOST', '${HOST}', 7],
    ['a ${HO} b', 6, 'HOST', 'a ${HOST} b', 9],
    ['a ${HOxx} b', 6, 'HOST', 'a ${HOST} b', 9],
  ])('%j takes a suggestion', (text, caret, insert, whole, after) => {
    const open = referenceAt(text, caret)
    expect(open && withReference(text, open, insert)).toEqual({ text: whole, caret: after })
  })
})

test.each([
  [{ kind: 'missing', path: ['URL', 'HOST'] }, 'HOST isn’t defined in this environment.'],
  [{ kind: 'missing', path: ['URL', 'HOST', 'staging.PORT'] }, 'HOST › staging.PORT isn’t defined.'],
  [{ kind: 'circular', path: ['URL', 'URL'] }, 'URL refers back to itself.'],
  [{ kind: 'unreadable', path: ['URL'] }, 'This value can’t be read with this key.'],
  [{ kind: 'unreadable', path: ['URL', 'X'] }, 'X can’t be read with this key.'],
  [{ kind: 'unverified', path: ['URL', 'X'] }, 'X is Unverified. Accept or restore it first.'],
  [{ kind: 'too-large', path: ['URL'] }, 'Too large to show when resolved.'],
] as const)('the problem %j is told as %j', (problem, words) => {
  expect(problemWords({ kind: problem.kind, path: [...problem.path] })).toBe(words)
})
