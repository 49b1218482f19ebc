// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { copiedValue } from '../../../src/lib/copied-value.ts'
import { copyText } from '../../../src/lib/copy-text.ts'
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
