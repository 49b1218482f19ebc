import { expect, test } from 'vitest'
import { serviceWords } from '../../electron/remote/service-words.ts'

const key = 'hf_0123456789'

test.each([
  [{ message: 'Slug is taken.' }, 'Slug is taken.'],
  [{ message: ' two\n lines\u0007 ' }, 'two lines'],
  [{ message: 'right\u202Eto left' }, 'right to left'],
  [{ error: 'bad' }, 'bad'],
  [{ error: { message: 'inner' } }, 'inner'],
  [{ title: 'Problem', detail: 'More exactly' }, 'More exactly'],
  [{ title: 'Problem' }, 'Problem'],
  [{ message: 7, error: 'bad' }, 'bad'],
  [{ message: '' }, null],
  [{}, null],
  [null, null],
  ['text', null],
  [[1], null],
  [undefined, null],
  [{ message: `Key ${key} is unknown` }, 'Key (API key) is unknown'],
  [{ message: 'Bad value v1:QUJDREVGR0g=.' }, 'Bad value (sealed value).'],
])('%j says %j', (body, expected) => {
  expect(serviceWords(body, key)).toBe(expected)
})

test('a long text is cut between characters', () => {
  const words = serviceWords({ message: '🔑'.repeat(5000) }, key)
  expect(words).toBe('🔑'.repeat(300) + '…')
})
