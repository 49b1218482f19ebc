import { afterEach, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { createRetryOffer } from '../../../src/features/sync/offer-retry.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

const refusals = { 'variables.update': 'You can only view this workspace.' }

/** A workspace with changes in these states. */
const withChanges = (...states: string[]) => {
  const sent: unknown[] = []
  const bridge = {
    query: async () => ({ ok: true, value: states.map((state) => ({ state })) }),
    command: async (name: string, args: object) => {
      sent.push([name, args])
      return { ok: true, value: null }
    },
    onPush: () => () => {},
  } as unknown as Bridge
  return { tell: createRetryOffer(bridge, 'w'), sent }
}

afterEach(() => {
  for (const { id } of toasts.list) toasts.dismiss(id)
})

test('a role that allows more offers to retry what was rejected', async () => {
  const { tell, sent } = withChanges('failed', 'conflict', 'failed')
  tell({ refusals })
  tell({ refusals: {} })
  await vi.waitFor(() => expect(toasts.list[0]?.text).toBe('Your role has changed. 2 changes were rejected before.'))
  toasts.list[0]?.action?.run()
  expect(sent).toEqual([['queue.retry', { workspaceId: 'w' }]])
})

test.each([
  ['nothing was rejected', ['conflict'], refusals, {}],
  ['it allows no more than before', ['failed'], refusals, refusals],
  ['it allows less', ['failed'], {}, refusals],
])('a role is not said to have changed if %s', async (_, states, before, now) => {
  const { tell } = withChanges(...states)
  tell({ refusals: before })
  tell({ refusals: now })
  await Promise.resolve()
  await Promise.resolve()
  expect(toasts.list).toEqual([])
})
