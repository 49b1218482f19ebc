// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import Confirm from '../../../src/ui/dialog/Confirm.svelte'
import { mounted, settled } from '../support/mounted.ts'

const question = () => document.querySelector('[role="alertdialog"]')
const button = (name: string) => [...(question()?.querySelectorAll('button') ?? [])].find(({ textContent }) => textContent.trim() === name)

test('a question stays until what it began has ended, so that it can say what failed, and is closed afterwards', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const onclose = vi.fn()
  const onconfirm = vi.fn(() => promise)
  mounted(Confirm, { open: true, title: 'Delete A?', text: 'You can undo this.', verb: 'Delete', onconfirm, onclose } as never)
  await settled()
  button('Delete')?.click()
  await settled()
  button('Cancel')?.click()
  question()?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))
  await settled()
  expect(question()).not.toBeNull()
  expect(onclose).not.toHaveBeenCalled()

  resolve()
  await settled()
  button('Cancel')?.click()
  await settled()
  expect(onclose).toHaveBeenCalledOnce()
  expect(onconfirm).toHaveBeenCalledOnce()
})
