import { expect, test } from 'vitest'
import { shortReasonWords } from '../../../src/domain/change-words.ts'

test.each([
  ['This service can’t create variables. The change is kept.', 'This service can’t create variables'],
  ['HTTP 500 from api.example.com', 'HTTP 500 from api.example.com'],
  ['Version 1.2 is too old.', 'Version 1.2 is too old'],
  ['Sent? Nobody knows. Look first.', 'Sent?'],
  [null, null],
])('the reason %j is %j in a list', (reason, short) => {
  expect(shortReasonWords({ reason, waitsFor: null })).toBe(short)
})

test('what waits for another change names it', () => {
  expect(
    shortReasonWords({ reason: 'The service has no such record.', waitsFor: { changeId: 'c', subject: 'project', name: 'Fernweh' } }),
  ).toBe('Waiting for the project Fernweh')
})
