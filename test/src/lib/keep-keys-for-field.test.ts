// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import { keepKeysForField } from '../../../src/lib/keep-keys-for-field.ts'
import { pressed } from '../support/pressed.ts'

/** Two fields asked for, one after the other; `heard` are the keys that reach the field with the focus. */
const setUp = () => {
  const field = document.createElement('input')
  document.body.append(field)
  const heard: string[] = []
  field.addEventListener('keydown', (event) => {
    event.preventDefault()
    heard.push(event.key)
  })
  const first = Promise.withResolvers<boolean>()
  const second = Promise.withResolvers<boolean>()
  const asked = [keepKeysForField(() => first.promise), keepKeysForField(() => second.promise)]
  return { first, second, asked, heard, type: (key: string) => document.body.dispatchEvent(pressed(key)), focus: () => field.focus() }
}

test.each([
  ['before', true],
  ['after', false],
])('keys are for the field asked for last, though an earlier one fails to open %s it', async (_, isBefore) => {
  const { first, second, asked, heard, type, focus } = setUp()
  type('x')
  if (isBefore) first.resolve(false)
  await Promise.resolve()
  type('y')
  focus()
  second.resolve(true)
  await Promise.resolve()
  first.resolve(false)
  await Promise.all(asked)
  expect(heard).toEqual(['x', 'y'])
})

test('keys for a field that does not open are dropped', async () => {
  const { first, second, asked, heard, type, focus } = setUp()
  type('x')
  focus()
  first.resolve(false)
  second.resolve(false)
  await Promise.all(asked)
  expect(heard).toEqual([])
})
