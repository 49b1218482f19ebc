// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import InlineName from '../../../src/ui/inline-name/InlineName.svelte'
import { fieldOf, mounted, press, settled, type } from '../support/mounted.ts'

const setUp = (refusal: string | null = null, start = '', text = start) => {
  const onsave = vi.fn(() => Promise.resolve(refusal))
  const oncancel = vi.fn()
  const root = mounted(InlineName, { label: 'Name', start, text, onsave, oncancel } as never)
  return { root, field: fieldOf(root, 'Name'), onsave, oncancel }
}

test('takes the focus, and keeps the trimmed name on Enter', async () => {
  const { field, onsave } = setUp()
  expect(document.activeElement).toBe(field)
  type(field, '  staging ')
  press(field, 'Enter')
  await settled()
  expect(onsave).toHaveBeenCalledWith('staging')
})

test.each([
  ['Escape', 'typed', 'Escape'],
  ['an empty name', '  ', 'Enter'],
  ['the name it had', 'before', 'Enter'],
])('%s changes nothing', async (_, text, key) => {
  const { field, onsave, oncancel } = setUp(null, 'before')
  type(field, text)
  press(field, key)
  await settled()
  expect(onsave).not.toHaveBeenCalled()
  expect(oncancel).toHaveBeenCalledOnce()
})

/** What leaves the field, for another one or for nothing. */
const ways = {
  'the focus goes elsewhere': (field: HTMLElement) => field.dispatchEvent(new FocusEvent('blur', { relatedTarget: document.body })),
  'the mouse is pressed on something without a focus': (field: HTMLElement) => {
    document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }))
    field.dispatchEvent(new FocusEvent('blur'))
  },
}
test.each(Object.entries(ways))('when %s, the name is kept, as by Enter', async (_, leave) => {
  const { field, onsave } = setUp()
  type(field, 'staging')
  leave(field)
  await settled()
  expect(onsave).toHaveBeenCalledOnce()
})

test('a field that is moved keeps the focus, and its name is not saved: it may be half typed', async () => {
  const { field, onsave } = setUp()
  type(field, 'stag')
  field.blur()
  await settled()
  expect(document.activeElement).toBe(field)
  expect(onsave).not.toHaveBeenCalled()
})

test('leaving for another window keeps the name open: it may be half typed', async () => {
  const { field, onsave, oncancel } = setUp()
  type(field, 'stag')
  const hasFocus = vi.spyOn(document, 'hasFocus').mockReturnValue(false)
  field.dispatchEvent(new FocusEvent('blur'))
  await settled()
  hasFocus.mockRestore()
  expect(onsave).not.toHaveBeenCalled()
  expect(oncancel).not.toHaveBeenCalled()
  type(field, 'staging')
  press(field, 'Enter')
  await settled()
  expect(onsave).toHaveBeenCalledWith('staging')
})

test('a field that is taken away, as by a lock, saves no name: it may be half typed', async () => {
  const { field, onsave } = setUp()
  type(field, 'stag')
  field.dispatchEvent(new FocusEvent('blur'))
  field.remove()
  await settled()
  expect(onsave).not.toHaveBeenCalled()
})

test('a field that opens with what was typed before selects none of it', () => {
  const { field } = setUp(null, 'before', 'befo')
  expect([field.value, field.selectionStart]).toEqual(['befo', 4])
})

test('a refused name stays typed with the reason, and leaving does not ask again', async () => {
  const { root, field, onsave, oncancel } = setUp('That name is taken. Choose another one.')
  type(field, 'staging')
  press(field, 'Enter')
  await settled()
  expect(field.value).toBe('staging')
  expect(root.querySelector('[role="alert"]')?.textContent).toBe('That name is taken. Choose another one.')
  ways['the focus goes elsewhere'](field)
  await settled()
  expect(onsave).toHaveBeenCalledOnce()
  expect(oncancel).not.toHaveBeenCalled()
})
