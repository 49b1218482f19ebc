import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cancelAddition, cancelEdit, cancelForm, cancelImport, openImport } from '../../../src/features/variables/cancel-edit.ts'
import { Drafts, newEdit } from '../../../src/features/variables/drafts.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

const row = { id: 'v', name: 'GREETING', rev: 1, type: 'string' } as never
const forget = () => {
  for (const { id } of toasts.list) toasts.dismiss(id)
}
beforeEach(forget)
afterEach(forget)
const restore = () => toasts.list.at(-1)?.action?.run()

test.each(['line', 'code'] as const)('a change that is dropped in an editor (%s) can be restored', (look) => {
  const drafts = new Drafts()
  const edit = { ...newEdit(row, 0, 'value', 'hello'), look }
  drafts.edit = edit
  cancelEdit(drafts)
  expect(toasts.list).toEqual([])

  drafts.edit = { ...edit, text: 'hello, half typed' }
  cancelEdit(drafts)
  expect(drafts.edit).toBeNull()
  restore()
  expect(drafts.edit?.text).toBe('hello, half typed')
})

/** As a press on the button of the newest toast does. */
const pressRestore = () => {
  const toast = toasts.list.at(-1)
  if (toast === undefined) throw new Error('no toast')
  toasts.dismiss(toast.id)
  toast.action?.run()
}

test('a dropped change that is restored takes the place of another open editor, whose text can be restored in its turn', () => {
  const drafts = new Drafts()
  drafts.edit = { ...newEdit(row, 0, 'value', 'hello'), text: 'hello, half typed' }
  cancelEdit(drafts)
  drafts.edit = { ...newEdit({ id: 'w', name: 'PORT', rev: 1, type: 'string' } as never, 1, 'value', '80'), text: '8080' }
  pressRestore()
  expect(drafts.edit?.text).toBe('hello, half typed')
  pressRestore()
  expect(drafts.edit?.text).toBe('8080')
})

test('a dropped change is offered again while another one is being saved', () => {
  const drafts = new Drafts()
  const edit = { ...newEdit(row, 0, 'value', 'hello'), text: 'hello, half typed' }
  drafts.edit = edit
  cancelEdit(drafts)
  drafts.saving = Promise.resolve(true) as never
  pressRestore()
  expect(drafts.edit).toBeNull()
  drafts.saving = null
  pressRestore()
  expect(drafts.edit?.text).toBe('hello, half typed')
})

test('a new variable that is dropped can be restored', () => {
  const drafts = new Drafts()
  const onrestored = vi.fn()
  cancelAddition(drafts, onrestored)
  expect(toasts.list).toEqual([])

  Object.assign(drafts.addition, { name: 'PORT', value: '80', error: { kind: 'name-taken', message: 'PORT exists.' } })
  cancelAddition(drafts, onrestored)
  expect(drafts.addition).toMatchObject({ name: '', value: '' })
  restore()
  expect(drafts.addition).toMatchObject({ name: 'PORT', value: '80', error: null })
  expect(onrestored).toHaveBeenCalledOnce()
})

test('a cancelled import can be restored with what was decided about it, and one without a text is not offered', () => {
  const drafts = new Drafts()
  const show = vi.fn()
  openImport(drafts, { text: '', from: null }, show)
  cancelImport(drafts, show)
  expect([drafts.imports, toasts.list]).toEqual([[], []])

  openImport(drafts, { text: 'A=1\n', from: 'shop.env' }, show)
  drafts.importing?.leftOut.add('A')
  cancelImport(drafts, show)
  expect(drafts.importing).toBeNull()
  pressRestore()
  expect(drafts.importing?.toJSON()).toMatchObject({ text: 'A=1\n', from: 'shop.env', isReviewed: true, leftOut: ['A'] })
  expect(show).toHaveBeenCalledOnce()
})

test('a text that is imported in place of another leaves that to be restored, and the other way round', () => {
  const drafts = new Drafts()
  openImport(drafts, { text: '', from: null }, vi.fn())
  Object.assign(drafts.importing ?? {}, { text: 'TYPED=1\n' })
  openImport(drafts, { text: 'A=1\n', from: 'shop.env' }, vi.fn())
  expect(drafts.importing?.text).toBe('A=1\n')
  pressRestore()
  expect(drafts.importing?.text).toBe('TYPED=1\n')
  pressRestore()
  expect(drafts.importing?.text).toBe('A=1\n')
})

test('a form that is closed can be opened again with what was typed in it, and one that is empty can’t', () => {
  const drafts = new Drafts()
  const open = vi.fn()
  drafts.forms.tracking = { project: 'shop', environment: 'production', names: '' }
  cancelForm(drafts, 'tracking', open)
  expect([drafts.forms, toasts.list]).toEqual([{}, []])

  drafts.forms.tracking = { project: 'shop', environment: 'production', names: 'HOST\nPORT' }
  cancelForm(drafts, 'tracking', open)
  expect(drafts.forms).toEqual({})
  expect(toasts.list.at(-1)?.text).toBe('Discarded the names to track')
  pressRestore()
  expect(drafts.forms).toEqual({ tracking: { project: 'shop', environment: 'production', names: 'HOST\nPORT' } })
  expect(open).toHaveBeenCalledOnce()
})
