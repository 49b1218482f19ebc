// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { CompareCell, ShownValue } from '../../../electron/bridge/rows.ts'
import { CellCopies } from '../../../src/features/compare/cell-copies.svelte.ts'
import type { Comparison } from '../../../src/features/compare/comparison.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

afterEach(() => {
  for (const toast of toasts.list) toasts.dismiss(toast.id)
})

test.each<{ state: ShownValue['state']; says: RegExp }>([
  { state: 'unverified', says: /^HOST is Unverified/ },
  { state: 'unreadable', says: /^HOST can’t be read with this key/ },
])('a value that is $state is not copied from a comparison, and the toast says why', async ({ state, says }) => {
  const bridge = { query: async () => ({ ok: true, value: [{ id: 'v', rev: 0, state }] }) } as unknown as Bridge
  await new CellCopies(bridge, 'w', {} as Comparison).toClipboard('HOST', { variableId: 'v' } as CompareCell)
  expect(toasts.list.map(({ text, tone }) => ({ text, tone }))).toEqual([{ text: expect.stringMatching(says), tone: 'bad' }])
})
