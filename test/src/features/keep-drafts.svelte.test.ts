import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { draftsOf, keepDrafts, newEdit } from '../../../src/features/variables/drafts.svelte.ts'

test('what was saved after its screen was left is kept no more', async () => {
  const sent: unknown[] = []
  const bridge = {
    command: (_: string, { draft }: { draft: string | null }) => (sent.push(draft), Promise.resolve({ ok: true, value: null })),
  }
  const drafts = draftsOf('place')
  const leave = $effect.root(() => keepDrafts(bridge as unknown as Bridge, 'w', 'place'))
  drafts.edit = newEdit({ id: 'a', name: 'A', rev: 1, type: 'string' } as never, 0, 'value', 'old')
  drafts.edit.text = 'new'
  flushSync()
  const end = Promise.withResolvers<boolean>()
  drafts.saving = end.promise
  flushSync()
  leave()
  drafts.edit = null
  drafts.saving = null
  end.resolve(true)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(sent.at(-1)).toBe(null)
  const again = $effect.root(() => keepDrafts(bridge as unknown as Bridge, 'w', 'place'))
  flushSync()
  await new Promise((resolve) => setTimeout(resolve, 20))
  again()
  expect(sent.at(-1)).toBe(null)
})
