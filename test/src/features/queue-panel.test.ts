import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import type { ConflictRow, QueueRow, SyncStatus } from '../../../electron/bridge/rows.ts'
import ChangeDialog from '../../../src/features/sync/ChangeDialog.svelte'
import QueuePanel from '../../../src/features/sync/QueuePanel.svelte'
import { access } from '../../../src/lib/access.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { journey } from '../../../src/lib/journey.svelte.ts'
import { labelled, mounted, press, settled } from '../support/mounted.ts'

const change = (name: string, part: Partial<QueueRow> = {}): QueueRow => ({
  changeId: `change of ${name}`,
  seq: name.charCodeAt(0),
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
  isToBeChecked: false,
  waitsFor: null,
  conflict: null,
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
  keepsDeleted: true,
  refusals: {},
  limits: [],
}

/** The conflict of a change: its value is a secret. */
const aConflict = ({ changeId = '', reveal = false }: { changeId?: string; reveal?: boolean }, part: Partial<ConflictRow>): ConflictRow => {
  const side = (text: string) => (reveal ? { state: 'shown' as const, text } : { state: 'masked' as const, text: null })
  return {
    changeId,
    kind: 'fields',
    subject: 'variable',
    name: changeId.replace('change of ', ''),
    where: 'Shop / Production',
    remoteBy: null,
    remoteAt: null,
    fingerprint: 'as shown',
    news: null,
    fields: [{ field: 'value', was: side('was this'), mine: side('typed here'), theirs: side('typed there') }],
    rollback: null,
    ...part,
  }
}

/** The panel with a queue that can be given anew. `restored`: what the service does with a deleted row that the user restores. */
const opened = async (rows: QueueRow[], conflict: Partial<ConflictRow> = {}, part: Partial<SyncStatus> = {}, restored = false) => {
  let queue = rows
  const ask = (name: string, args: { reveal?: boolean; changeId?: string }) => {
    if (name === 'queue.list') return queue
    return name === 'conflicts.show' ? aConflict(args, conflict) : []
  }
  const listeners = new Set<(push: Push) => void>()
  const sent: [string, unknown][] = []
  const bridge = {
    query: (name: string, args: object) => Promise.resolve({ ok: true, value: ask(name, args) }),
    command: (name: string, args: object) => {
      sent.push([name, args])
      return Promise.resolve({ ok: true, value: name === 'conflicts.resolve' ? { restored } : null })
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
      status: { ...status, ...part },
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
    const shown = () => [...panel.querySelectorAll('[role="grid"]')].map((each) => each.getAttribute('aria-rowcount'))
    await vi.waitFor(() => expect(shown()).toEqual(next.length === 0 ? [] : [String(next.length)]), { timeout: 60_000 })
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

  test('that were rejected are tried again together by one button', async () => {
    const { panel, sent } = await opened([change('A', { state: 'failed' }), change('B', { state: 'failed' }), change('C')])
    const button = [...panel.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Retry all')
    button?.click()
    expect(panel.textContent).toContain('2 changes were rejected by the service.')
    expect(sent).toEqual([['queue.retry', { workspaceId: 'w' }]])
  })

  test('that wait for a paused sync are not tried again: resuming sends them', async () => {
    const { panel, grid, active, sent } = await opened([change('A'), change('B', { state: 'failed' })], {}, { isPaused: true })
    // What waits for the user is first.
    press(grid, 'End')
    expect(active()).toBe('A')
    press(grid, 'r')
    expect(sent).toEqual([])
    const labels = [...panel.querySelectorAll('[aria-label^="Retry"]')].map((button) => button.getAttribute('aria-label'))
    expect(labels).toEqual(['Retry B'])
  })

  test('of which one is opened while sync is paused can be discarded or resumed, not sent now', async () => {
    const commands: [string, object][] = []
    const bridge = {
      query: (name: string) =>
        Promise.resolve({
          ok: true,
          value: name === 'queue.list' ? [change('A')] : name === 'sync.status' ? { ...status, isPaused: true } : [],
        }),
      command: (name: string, args: object) => {
        commands.push([name, args])
        return Promise.resolve({ ok: true, value: null })
      },
      onPush: () => () => undefined,
    } as unknown as Bridge
    mounted(ChangeDialog, { workspaceId: 'w', changeId: 'change of A', onclose: () => undefined }, bridge)
    await settled()
    await settled()
    const buttons = [...(document.querySelector('[role="dialog"]')?.querySelectorAll('button') ?? [])]
    const words = buttons.map(({ textContent }) => textContent.trim())
    expect(words).toEqual(expect.arrayContaining(['Discard…', 'Resume']))
    expect(words).not.toContain('Send now')
    buttons[words.indexOf('Resume')]?.click()
    await settled()
    expect(commands).toEqual([['sync.pause', { workspaceId: 'w', paused: false }]])
  })

  test.each([
    { state: 'synced', lastSyncedAt: '2026-11-21T00:00:00Z' },
    { state: 'paused', isPaused: true },
  ] as const)('of a workspace that exists only on this computer are not said to be synced: %j', async (part) => {
    access.isAlone = true
    onTestFinished(() => void (access.isAlone = false))
    const { panel } = await opened([change('A')], {}, part)
    expect(panel.textContent).toContain('only on this computer')
    expect(panel.textContent).not.toMatch(/sync/i)
  })

  test('that are being sent are not discarded, but those of which sync has yet to check whether they were done', async () => {
    const reason = 'The service may already have done this.'
    const toBeChecked = change('B', { state: 'sending', isToBeChecked: true, reason })
    const { panel, grid, active } = await opened([change('A', { state: 'sending' }), toBeChecked])
    const labels = [...panel.querySelectorAll('[aria-label^="Discard"]')].map((button) => button.getAttribute('aria-label'))
    expect(labels).toEqual(['Discard B'])
    press(grid, 'Delete')
    await settled()
    expect([active(), document.querySelector('[role="alertdialog"]')]).toEqual(['A', null])
    press(grid, 'End')
    press(grid, 'Delete')
    await settled()
    expect(document.querySelector('[role="alertdialog"]')?.textContent).toContain('If the service has already made it')
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

  test('that wait for a decision come first', async () => {
    const { panel } = await opened([change('A'), change('B', { state: 'conflict', conflict: 'fields' }), change('C', { state: 'failed' })])
    expect([...panel.querySelectorAll('[data-testid="queue-row"]')].map((row) => row.getAttribute('data-name'))).toEqual(['B', 'C', 'A'])
  })

  test('leave the keyboard to the panel when the last one goes, and to none of its buttons', async () => {
    const { panel, grid, become } = await opened([change('A', { state: 'conflict', conflict: 'fields' })])
    grid.focus()
    await become([])
    expect(document.activeElement).toBe(panel.querySelector('.panel'))
  })
})

describe('a conflict in the list of unsent changes', () => {
  const inConflict = (name: string, part: Partial<QueueRow> = {}) => change(name, { state: 'conflict', conflict: 'fields', ...part })
  const glanceOf = (panel: HTMLElement) =>
    panel.querySelector('[data-testid="conflict-glance"]')?.textContent.replaceAll(/\s+/g, ' ') ?? null

  test('shows its values by Space, and says so', async () => {
    const { panel, grid } = await opened([inConflict('TOKEN')])
    await settled()
    expect(glanceOf(panel)).not.toContain('typed there')
    expect(panel.textContent).toContain('reveal')
    press(grid, ' ')
    await settled()
    await settled()
    expect(glanceOf(panel)).toContain('typed here')
    expect(glanceOf(panel)).toContain('typed there')
    press(grid, ' ')
    await settled()
    await settled()
    expect(glanceOf(panel)).not.toContain('typed there')
  })

  test.each([
    { key: 'm', part: {}, says: 'Kept your change to PORT', action: undefined },
    { key: 't', part: {}, says: 'Took their change to PORT in Shop / Production', action: 'Value history' },
    { key: 'm', part: { kind: 'deleted-remotely' }, says: 'Created PORT again', action: undefined },
    { key: 't', part: { kind: 'deleted-remotely' }, says: 'Deleted PORT in Shop / Production', action: 'Value history' },
  ] as const)('that is decided by the key $key says what was decided: $says', async ({ key, part, says, action }) => {
    const { grid, sent } = await opened([inConflict('PORT')], part)
    await settled()
    press(grid, key)
    await settled()
    expect(sent).toMatchObject([['conflicts.resolve', { fingerprint: 'as shown', choice: { take: key === 'm' ? 'mine' : 'theirs' } }]])
    expect(toasts.list.map((toast) => [toast.text, toast.action?.name])).toEqual([[says, action]])
  })

  test.each([
    { key: 'm', part: { kind: 'deleted-remotely' }, restored: true, says: 'Restored stage', action: undefined },
    { key: 'm', part: { kind: 'deleted-remotely' }, restored: false, says: 'Created stage again', action: undefined },
    { key: 't', part: { kind: 'deleted-remotely' }, restored: false, says: 'Deleted stage in Shop / Production', action: 'Value history' },
    { key: 't', part: { kind: 'changed-below' }, restored: false, says: 'Kept stage', action: undefined },
    { key: 't', part: { kind: 'fields' }, restored: false, says: 'Took their change to stage', action: undefined },
  ] as const)('about an environment, $part.kind, says what was decided: $says', async ({ key, part, restored, says, action }) => {
    const about: Partial<ConflictRow> = { subject: 'environment', fields: [], ...part }
    const { grid } = await opened([inConflict('stage', { subject: 'environment' })], about, {}, restored)
    await settled()
    press(grid, key)
    await settled()
    expect(toasts.list.map((toast) => [toast.text, toast.action?.name])).toEqual([[says, action]])
  })

  test.each([
    { keepsDeleted: true, refused: [], says: 'restore it' },
    { keepsDeleted: true, refused: ['environments.delete'], says: 'create it again' },
    { keepsDeleted: false, refused: [], says: 'create it again' },
  ])(
    'about an environment, deleted on a service that keeps it: $keepsDeleted, offers to $says',
    async ({ keepsDeleted, refused, says }) => {
      onTestFinished(() => access.learn(null))
      access.learn({ isViewOnly: false, keepsDeleted, refusals: Object.fromEntries(refused.map((command) => [command, 'Ask an admin.'])) })
      const about: Partial<ConflictRow> = { kind: 'deleted-remotely', subject: 'environment', fields: [] }
      const { panel } = await opened([inConflict('stage', { subject: 'environment', fields: [] })], about)
      await settled()
      expect(panel.textContent).toContain(says)
    },
  )

  test('about a deleted environment says what is at stake, and waits for no retry of what is in it', async () => {
    const at = { projectId: 'p', environmentId: 'e', variableId: null }
    const top = inConflict('stage', { subject: 'environment', fields: [], conflict: 'deleted-remotely', at })
    const waitsFor = { changeId: top.changeId, subject: 'environment', name: 'stage' } as const
    const { panel } = await opened(
      [change('S1', { waitsFor, reason: 'The service has no such record.' }), change('S2', { kind: 'create', fields: [], waitsFor }), top],
      { kind: 'deleted-remotely', subject: 'environment', fields: [] },
    )
    await settled()
    expect(glanceOf(panel)).toContain('You changed S1 and added S2.')
    const [first, second] = panel.querySelectorAll<HTMLElement>('[data-testid="queue-row"]')
    expect(first?.textContent).toContain('Conflict · deleted by someone else')
    expect(second?.textContent).toContain('Queued · Waiting for the environment stage')
    expect(second?.querySelector('[aria-label="Retry S1"]')).toBeNull()
  })
})
