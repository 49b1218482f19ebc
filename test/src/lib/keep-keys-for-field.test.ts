// @vitest-environment happy-dom
import { expect, onTestFinished, test, vi } from 'vitest'
import { keepKeysForField } from '../../../src/lib/keep-keys-for-field.ts'
import { pressed } from '../support/pressed.ts'

/** Two fields asked for, one after the other; `heard` are the keys that reach the field with the focus. */
const setUp = () => {
  const main = document.createElement('main')
  const field = document.createElement('input')
  main.append(field)
  document.body.append(main)
  const heard: string[] = []
  field.addEventListener('keydown', (event) => {
    event.preventDefault()
    heard.push(event.key)
  })
  const first = Promise.withResolvers<boolean>()
  const second = Promise.withResolvers<boolean>()
  const asked = [keepKeysForField(() => first.promise), keepKeysForField(() => second.promise)]
  const type = (key: string, held?: KeyboardEventInit) => document.body.dispatchEvent(pressed(key, held))
  return { first, second, asked, heard, field, type, focus: () => field.focus() }
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

/** An element in this part of the window that takes the focus. */
const elsewhere = (part: 'aside' | 'main') => {
  const element = document.createElement('button')
  const parent = document.createElement(part)
  parent.append(element)
  document.body.append(parent)
  return element
}

test('keys for a field are dropped when its user goes on to the sidebar, and those pressed from then on are for that', async () => {
  const { first, second, asked, heard, type, focus } = setUp()
  type('x')
  elsewhere('aside').focus()
  expect(type('y')).toBe(true)
  focus()
  first.resolve(true)
  second.resolve(true)
  await Promise.all(asked)
  expect(heard).toEqual([])
})

test('keys for a field that opened without the focus are dropped: in a table they would be commands', async () => {
  const { first, second, asked, type } = setUp()
  const table = elsewhere('main')
  const heard = vi.fn<(event: Event) => void>()
  table.addEventListener('keydown', heard)
  table.focus()
  type('Backspace')
  first.resolve(true)
  second.resolve(true)
  await Promise.all(asked)
  expect(heard).not.toHaveBeenCalled()
})

test.each([
  { what: 'Ctrl A, which would select every row', key: 'a', held: { ctrlKey: true }, isKept: true },
  { what: 'Ctrl Z, which would undo the last edit', key: 'z', held: { ctrlKey: true }, isKept: true },
  { what: 'Ctrl S, which would save a version', key: 's', held: { metaKey: true }, isKept: true },
  { what: '@, which is typed with AltGr', key: '@', held: { ctrlKey: true, altKey: true, modifierAltGraph: true }, isKept: true },
  { what: 'Ctrl K, a command whatever has the focus', key: 'k', held: { ctrlKey: true }, isKept: false },
])('a field that is being opened gets the keys of a text field: $what', async ({ key, held, isKept }) => {
  const { first, second, asked, heard, type, focus } = setUp()
  const isForTable = type(key, held)
  expect(isForTable).toBe(!isKept)
  focus()
  first.resolve(false)
  second.resolve(true)
  await Promise.all(asked)
  expect(heard).toEqual(isKept ? [key] : [])
})

test('a kept key that has to wait in its turn stays before those pressed after it', async () => {
  const { first, second, asked, heard, field, type, focus } = setUp()
  let waited: Promise<boolean> | undefined
  field.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || waited !== undefined) return
      event.preventDefault()
      event.stopImmediatePropagation()
      waited = keepKeysForField(() => Promise.resolve(true), event)
    },
    { capture: true },
  )
  for (const key of ['a', 'Enter', 'b']) type(key)
  focus()
  first.resolve(false)
  second.resolve(true)
  await Promise.all(asked)
  await waited
  expect(heard).toEqual(['a', 'Enter', 'b'])
})

test('a text that is pasted while a field is being opened goes into the field, and not to the table', async () => {
  const { first, second, asked, field, type, focus } = setUp()
  const onPaste = vi.fn()
  addEventListener('paste', onPaste)
  onTestFinished(() => removeEventListener('paste', onPaste))
  const texts: (string | undefined)[] = []
  field.addEventListener('paste', (event) => {
    event.preventDefault()
    event.stopPropagation()
    texts.push(event.clipboardData?.getData('text/plain'))
  })
  const paste = new Event('paste', { bubbles: true, cancelable: true })
  Object.defineProperty(paste, 'isTrusted', { value: true })
  document.body.dispatchEvent(Object.assign(paste, { clipboardData: { getData: () => 'A=1\nB=2' } }))
  type('x')
  focus()
  first.resolve(false)
  second.resolve(true)
  await Promise.all(asked)
  expect([texts, onPaste.mock.calls.length]).toEqual([['A=1\nB=2'], 0])
})
