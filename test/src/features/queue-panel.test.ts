import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import type { QueueRow, SyncStatus } from '../../../electron/bridge/rows.ts'
import QueuePanel from '../../../src/features/sync/QueuePanel.svelte'
import { journey } from '../../../src/lib/journey.svelte.ts'
import { labelled, mounted, press, settled } from '../support/mounted.ts'

const change = (name: string, part: Partial<QueueRow> = {}): QueueRow => ({
  changeId: `change of ${name}`,
  kind: 'update',
  subject: 'variable',
  name,
  where: 'Shop / Production',
  at: { projectId: 'p', environmentId: 'e', variableId: `id of ${name}` },
  fields: ['value'],
  counts: null,
  state: 'queued',
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  waitsFor: null,
  remoteBy: null,
  remoteAt: null,
  createdAt: '2026-11-21T00:00:00Z',
  ...part,
})

const status: SyncStatus = {
  state: 'queued',
  queued: 3,
  attention: 0,
  unverified: 0,
  values: 'bound',
  lastSyncedAt: null,
  message: null,
  nextAttemptAt: null,
  isPaused: false,
  isViewOnly: false,
  limits: [],
}

/** The panel with a queue that can be given anew. */
const opened = async (rows: QueueRow[]) => {
  let queue = rows
  const listeners = new Set<(push: Push) => void>()
  const sent: [string, unknown][] = []
  const bridge = {
    query: (name: string) => Promise.resolve({ ok: true, value: name === 'queue.list' ? queue : [] }),
    command: (name: string, args: object) => {
      sent.push([name, args])
      return Promise.resolve({ ok: true, value: null })
    },
    onPush: (listen: (push: Push) => void) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  } as unknown as Bridge
  const onopen = vi.fn<(changeId: string) => void>()
  const onleave = vi.fn<() => void>()
  const panel = mounted(
    QueuePanel,
    {
      workspaceId: 'w',
      status,
      startAt: null,
      onopen,
      onexport: () => undefined,
      onreview: () => undefined,
      onbind: () => undefined,
      onleave,
    },
    bridge,
  )
  await settled()
  const grid = labelled(panel, 'Unsent changes')
  const active = () => panel.querySelector(`#${grid.getAttribute('aria-activedescendant') ?? ''}`)?.getAttribute('data-name')
  const become = async (next: QueueRow[]) => {
    queue = next
    for (const tell of listeners) tell({ push: 'changed', workspaceId: 'w', tables: ['queue'] })
    await vi.waitFor(() => expect(grid.getAttribute('aria-rowcount')).toBe(String(next.length)), { timeout: 60_000 })
  }
  return { panel, grid, active, sent, onopen, onleave, become }
}

afterEach(() => journey.done())

describe('the unsent changes', () => {
  test('are walked by arrows from anywhere in the panel', async () => {
    const { panel, grid, active } = await opened([change('A'), change('B'), change('C')])
    const button = panel.querySelector('button')
    if (button) press(button, 'ArrowDown')
    expect(document.activeElement).toBe(grid)
    expect(active()).toBe('A')
    press(grid, 'ArrowDown')
    expect(active()).toBe('B')
    press(grid, 'End')
    expect(active()).toBe('C')
  })

  test('are looked at, tried again and left for where they are edited by one key each', async () => {
    const { grid, sent, onopen, onleave } = await opened([change('A'), change('B')])
    press(grid, 'ArrowDown')
    press(grid, 'Enter')
    expect(onopen).toHaveBeenCalledWith('change of B')
    press(grid, 'r')
    expect(sent).toEqual([['queue.retry', { workspaceId: 'w', changeId: 'change of B' }]])
    press(grid, 'e')
    expect(onleave).toHaveBeenCalledOnce()
    expect(journey.to).toMatchObject({ workspaceId: 'w', environmentId: 'e', variable: { id: 'id of B', name: 'B' } })
  })

  test('are discarded only after a question', async () => {
    const { grid, sent } = await opened([change('A')])
    press(grid, 'Delete')
    await settled()
    const dialog = document.querySelector('[role="alertdialog"]')
    expect(dialog?.textContent).toContain('Discard the change to A?')
    expect(sent).toEqual([])
    const confirm = [...(dialog?.querySelectorAll('button') ?? [])].find((button) => button.textContent.trim() === 'Discard')
    confirm?.click()
    await settled()
    expect(sent).toEqual([['queue.discard', { workspaceId: 'w', changeId: 'change of A' }]])
  })

  test('that are on their way are neither tried again nor discarded', async () => {
    const { grid, sent } = await opened([change('A', { state: 'sending' })])
    press(grid, 'r')
    press(grid, 'Delete')
    await settled()
    expect(sent).toEqual([])
    expect(document.querySelector('[role="alertdialog"]')).toBeNull()
  })

  test('keep the active one when those before it are sent', async () => {
    const { grid, active, become } = await opened([change('A'), change('B'), change('C')])
    press(grid, 'ArrowDown')
    press(grid, 'ArrowDown')
    await become([change('C')])
    await settled()
    expect(active()).toBe('C')
  })
})
