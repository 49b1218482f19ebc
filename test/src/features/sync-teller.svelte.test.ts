import { flushSync, mount, unmount } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { SyncStatus } from '../../../electron/bridge/rows.ts'
import SyncTeller from '../../../src/features/sync/SyncTeller.svelte'

const statusOf = (state: SyncStatus['state'], queued = 0): SyncStatus => ({
  state,
  queued,
  attention: 0,
  unverified: 0,
  values: 'bound',
  lastSyncedAt: null,
  message: null,
  nextAttemptAt: null,
  isPaused: false,
  isViewOnly: false,
  keepsDeleted: true,
  refusals: {},
  limits: [],
})

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Step = [after: number, status: SyncStatus]

test.each<[string, Step[], string]>([
  ['tells the state that it came to', [[0, statusOf('offline', 2)]], 'Sync: Offline · 2 queued'],
  [
    'says nothing of an edit that is sent at once',
    [
      [0, statusOf('queued', 1)],
      [300, statusOf('syncing', 1)],
      [300, statusOf('synced')],
    ],
    'Sync: Synced',
  ],
  [
    'tells a state that attempts interrupt',
    [
      [0, statusOf('offline', 1)],
      [400, statusOf('syncing', 1)],
      [400, statusOf('offline', 1)],
    ],
    'Sync: Offline · 1 queued',
  ],
])('what sync tells: %s', (_, steps, words) => {
  const props = $state({ status: statusOf('synced') })
  const app = mount(SyncTeller, { target: document.body, props })
  flushSync()
  const said: string[] = []
  const note = () => said.push(document.querySelector('[role="status"]')?.textContent ?? '')
  for (const [after, status] of steps) {
    vi.advanceTimersByTime(after)
    props.status = status
    flushSync()
    note()
  }
  expect(new Set(said)).toEqual(new Set(['Sync: Synced']))
  vi.advanceTimersByTime(1000)
  flushSync()
  note()
  expect(said.at(-1)).toBe(words)
  void unmount(app)
})
