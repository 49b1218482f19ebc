// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import ReferenceArea from '../../../src/features/variables/ReferenceArea.svelte'
import { fieldOf, mounted, press, settled, type } from '../support/mounted.ts'

const setUp = () => {
  const asked: string[] = []
  const suggest = async (typed: string) => {
    asked.push(typed)
    return ['HOST', 'HOST_NAME'].filter((name) => name.startsWith(typed)).map((insert) => ({ insert, detail: '' }))
  }
  const handlers = { onsubmit: vi.fn(), oncancel: vi.fn() }
  const root = mounted(ReferenceArea, { value: '', label: 'Value', suggest, ...handlers } as never)
  const field = fieldOf(root, 'Value')
  const write = async (text: string) => {
    type(field, text)
    await settled()
  }
  return { root, field, asked, write, options: () => [...root.querySelectorAll('[role="option"]')], ...handlers }
}

test('other variables are offered from `${` on, and the arrows and Enter pick one without submitting', async () => {
  const { field, asked, write, options, onsubmit } = setUp()
  await write('a $')
  expect(options()).toHaveLength(0)
  await write('a ${HO')
  expect(asked).toEqual(['HO'])
  expect(options().map((option) => option.getAttribute('aria-selected'))).toEqual(['true', 'false'])
  press(field, 'ArrowDown')
  expect(field.getAttribute('aria-activedescendant')).toBe(options()[1]?.id)
  press(field, 'Enter')
  await settled()
  expect(field.value).toBe('a ${HOST_NAME}')
  expect(onsubmit).not.toHaveBeenCalled()
  expect(options()).toHaveLength(0)
  press(field, 'Enter')
  expect(onsubmit).toHaveBeenCalledOnce()
})

test('Escape closes the list first, and only then cancels', async () => {
  const { field, write, options, oncancel } = setUp()
  await write('${')
  expect(options()).toHaveLength(2)
  press(field, 'Escape')
  expect(options()).toHaveLength(0)
  expect(oncancel).not.toHaveBeenCalled()
  press(field, 'Escape')
  expect(oncancel).toHaveBeenCalledOnce()
})

test('nothing is offered where `$${` begins no reference, or where nothing fits', async () => {
  const { asked, write, options } = setUp()
  await write('$${HO')
  expect(asked).toEqual([])
  await write('${NONE')
  expect(options()).toHaveLength(0)
})

test.each(['Enter', 'Tab'])('%s pressed before the list has followed the typing picks for the text as it is by then', async (key) => {
  const late = Promise.withResolvers<{ insert: string; detail: string }[]>()
  const answers = [Promise.resolve([{ insert: 'BIG', detail: '' }]), late.promise]
  const onsubmit = vi.fn()
  const root = mounted(ReferenceArea, { value: '', label: 'Value', suggest: () => answers.shift(), onsubmit } as never)
  const field = fieldOf(root, 'Value')
  field.focus()
  type(field, '${')
  await settled()
  type(field, '${DB_U')
  press(field, key)
  await settled()
  expect([field.value, onsubmit.mock.calls.length]).toEqual(['${DB_U', 0])
  late.resolve([{ insert: 'DB_USER', detail: '' }])
  await vi.waitFor(() => expect(field.value).toBe('${DB_USER}'))
  expect(onsubmit).not.toHaveBeenCalled()
})

test('Enter pressed before it is known that nothing fits saves what is typed', async () => {
  const late = Promise.withResolvers<never[]>()
  const onsubmit = vi.fn()
  const root = mounted(ReferenceArea, { value: '', label: 'Value', suggest: () => late.promise, onsubmit } as never)
  const field = fieldOf(root, 'Value')
  field.focus()
  type(field, '${NONE')
  press(field, 'Enter')
  expect(onsubmit).not.toHaveBeenCalled()
  late.resolve([])
  await vi.waitFor(() => expect(onsubmit).toHaveBeenCalledOnce())
})

test.each([
  ['ArrowDown', 'HOST_NAME'],
  ['ArrowUp', 'HOST_PORT'],
])('%s pressed while the suggestions load moves in the list that comes', async (key, picked) => {
  const late = Promise.withResolvers<{ insert: string; detail: string }[]>()
  const root = mounted(ReferenceArea, { value: '', label: 'Value', suggest: () => late.promise } as never)
  const field = fieldOf(root, 'Value')
  field.focus()
  type(field, '${HO')
  press(field, key)
  late.resolve(['HOST', 'HOST_NAME', 'HOST_PORT'].map((insert) => ({ insert, detail: '' })))
  await settled()
  press(field, 'Enter')
  await settled()
  expect(field.value).toBe(`\${${picked}}`)
})
