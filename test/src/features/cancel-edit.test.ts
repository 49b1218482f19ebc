import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cancelAddition, cancelEdit } from '../../../src/features/variables/cancel-edit.ts'
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

test('a new variable that is dropped can be restored', () => {
  const drafts = new Drafts()
  const onrestored = vi.fn()
  cancelAddition(drafts, onrestored)
  expect(toasts.list).toEqual([])

  Object.assign(drafts.addition, { name: 'PORT', value: '80', error: 'The service is full.' })
  cancelAddition(drafts, onrestored)
  expect(drafts.addition).toMatchObject({ name: '', value: '' })
  restore()
  expect(drafts.addition).toMatchObject({ name: 'PORT', value: '80', error: null })
  expect(onrestored).toHaveBeenCalledOnce()
})
