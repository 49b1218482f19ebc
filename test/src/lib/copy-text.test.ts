// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { copiedValue } from '../../../src/lib/copied-value.ts'
import { copyRead, copyText } from '../../../src/lib/copy-text.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

test.each([
  ['has taken over the clipboard', () => Promise.resolve(true)],
  ['has answered that it can’t', () => Promise.resolve(false)],
  ['can’t be asked', () => Promise.reject(new Error('closed'))],
])('that a copied value clears is said once the application %s', async (_what, answer) => {
  const asked = Promise.withResolvers<undefined>()
  const hold = vi.fn(() => asked.promise.then(answer))
  copiedValue.keepBy({ copy: async () => false, hold, release: async () => {} })
  const copied = copyText('sesame', 'API_TOKEN')
  await vi.waitFor(() => expect(hold).toHaveBeenCalledOnce())
  expect(toasts.list).toEqual([])
  asked.resolve(undefined)
  await copied
  expect(toasts.list).toHaveLength(1)
  for (const { id } of toasts.list) toasts.dismiss(id)
  copiedValue.forget()
})

test.each([
  ['is always cleared', async () => true, 'Copied API_TOKEN. Clears in 30 seconds'],
  ['is cleared only in this tab', async () => false, 'Copied API_TOKEN. Clears in 30 seconds unless you leave this tab'],
])('of a value that %s, that is what is said', async (_what, hold, words) => {
  copiedValue.keepBy({ copy: async () => false, hold, release: async () => {} })
  vi.spyOn(copiedValue, 'copy').mockResolvedValueOnce({ isAlwaysCleared: await hold() })
  await copyText('sesame', 'API_TOKEN')
  expect(toasts.list.map(({ text }) => text)).toEqual([words])
  for (const { id } of toasts.list) toasts.dismiss(id)
})

test('nothing is said about the clipboard when the value could not be read, which the reader has told', async () => {
  await copyRead(Promise.resolve(null))
  expect(toasts.list).toEqual([])
})
