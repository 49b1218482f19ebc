import { describe, expect, test } from 'vitest'
import { referenceParts } from '../../../src/domain/reference-parts.ts'
import { referenceWords } from '../../../src/domain/reference-words.ts'
import { timeChoices } from '../../../src/domain/time-choices.ts'
import { valueHint } from '../../../src/domain/value-note.ts'

describe('a hint about a value', () => {
  test.each([
    { value: '', says: null },
    { value: 'plain', says: null },
    { value: ' led', says: 'space' },
    { value: 'ended\n', says: 'line break' },
    { value: 'a\u0000b', says: 'NUL' },
    { value: 'tok\u200ben', says: 'U+200B' },
    { value: '\uFEFFtoken', says: 'U+FEFF' },
    { value: 'a\u202Eb', says: 'U+202E' },
    { value: 'a\tb\r\nc', says: null },
    { value: '👩‍💻', says: null },
    { value: '{"a": [1, 2]}', says: null },
    { value: '{"a": [1, 2}', says: 'JSON' },
    { value: '{{ template }}', says: 'JSON' },
    { value: '[open', says: null },
  ])('of “$value” says $says', ({ value, says }) => {
    const hint = valueHint(value)
    if (says === null) expect(hint).toBeNull()
    else expect(hint).toContain(says)
  })
})

test('references are cut out of a value, and nothing of it is lost', () => {
  const text = 'https://${HOST}:${staging.PORT}/${}$HOST${ x }$${NOT}${a b}'
  const parts = referenceParts(text)
  expect(parts.map((part) => part.text).join('')).toBe(text)
  expect(parts.filter((part) => part.isReference).map((part) => part.text)).toEqual(['${HOST}', '${staging.PORT}'])
})

test('what is wrong with references is one sentence', () => {
  expect(referenceWords(['missing', 'circular'])).toBe('This value refers to a variable that isn’t defined, and refers back to itself.')
})

test('spans of time are in words, never is last, and the one set is among them', () => {
  expect(timeChoices([30, 60, 0], 90, 'second').map((choice) => choice.name)).toEqual(['30 seconds', '1 minute', '90 seconds', 'Never'])
  expect(timeChoices([60, 240], 60, 'minute').map((choice) => choice.name)).toEqual(['1 hour', '4 hours'])
})
