import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import type { QueueRow } from '../../../electron/bridge/rows.ts'
import ChangeDialog from '../../../src/features/sync/ChangeDialog.svelte'
import { fieldOf, mounted, settled, type } from '../support/mounted.ts'

const change = (state: QueueRow['state']): QueueRow => ({
  changeId: 'c',
  seq: 1,
  kind: 'update',
  subject: 'variable',
  name: 'GREETING',
  where: 'Shop / Production',
  at: { projectId: 'p', environmentId: 'e', variableId: 'v' },
  fields: ['value'],
  counts: null,
  state,
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  isToBeChecked: false,
  waitsFor: null,
  conflict: state === 'conflict' ? 'fields' : null,
  remoteBy: null,
  remoteAt: null,
  createdAt: '2026-11-21T00:00:00Z',
})
const side = (text: string) => ({ state: 'shown' as const, text })
const conflict = {
  changeId: 'c',
  kind: 'fields',
  subject: 'variable',
  name: 'GREETING',
  where: 'Shop / Production',
  remoteBy: null,
  remoteAt: null,
  fingerprint: 'f',
  news: null,
  fields: [{ field: 'value', was: side('was this'), mine: side('made this of it'), theirs: side('made that of it') }],
  rollback: null,
}

test.each([
  ['waits to be sent', [change('queued')]],
  ['is done', []],
] as const)(
  'a value typed to resolve a conflict stays until its user drops it, even if the change %s because others took theirs back',
  async (_, next) => {
    let queue: readonly QueueRow[] = [change('conflict')]
    const listeners = new Set<(push: Push) => void>()
    const bridge = {
      query: (name: string) => {
        if (name === 'queue.list') return Promise.resolve({ ok: true, value: queue })
        if (name !== 'conflicts.show') return Promise.resolve({ ok: true, value: [] })
        const isOver = queue[0]?.state !== 'conflict'
        return Promise.resolve(
          isOver
            ? { ok: false, error: { kind: 'not-found', message: 'This conflict has already been resolved.' } }
            : { ok: true, value: conflict },
        )
      },
      command: () => Promise.reject(new Error('no command is expected')),
      onPush: (listen: (push: Push) => void) => {
        listeners.add(listen)
        return () => listeners.delete(listen)
      },
    } as unknown as Bridge
    mounted(ChangeDialog as never, { workspaceId: 'w', changeId: 'c', onclose: () => undefined } as never, bridge)
    await settled()
    const review = () => document.querySelector('[data-testid="conflict-review"]')
    const button = (words: string) => [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === words)
    await vi.waitFor(() => expect(review()).not.toBeNull())
    button('Edit')?.click()
    await settled()
    await settled()
    type(fieldOf(document, 'New value'), 'a third text, typed for ten minutes')
    queue = next
    for (const tell of listeners) tell({ push: 'changed', workspaceId: 'w', tables: ['queue', 'variables'] })
    await vi.waitFor(() => expect(review()?.textContent).toContain('Copy what you typed if you still need it.'))
    expect(fieldOf(document, 'New value').value).toBe('a third text, typed for ten minutes')
    expect(review()?.textContent).not.toContain('Nothing changes until you choose.')
    expect(button('Save')?.disabled).toBe(true)
    button('Back')?.click()
    await settled()
    expect(review()).toBeNull()
  },
)

test.each([
  ['is refused', { state: 'failed', reason: 'Your role doesn’t allow this.' }, 'Your role doesn’t allow this.'],
  ['meets another variable of its name', { state: 'conflict', conflict: 'name-taken' }, 'Nothing changes until you choose.'],
] as const)('a change that %s while its user looks at it stays in the dialog, whatever its id is now', async (_, outcome, words) => {
  let queue: readonly QueueRow[] = [change('queued')]
  const listeners = new Set<(push: Push) => void>()
  const bridge = {
    query: (name: string, args: { changeId?: string }) => {
      if (name === 'queue.list') return Promise.resolve({ ok: true, value: queue })
      if (name !== 'conflicts.show') return Promise.resolve({ ok: true, value: [] })
      expect(args.changeId).toBe('another id')
      return Promise.resolve({ ok: true, value: { ...conflict, changeId: 'another id' } })
    },
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: (listen: (push: Push) => void) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  } as unknown as Bridge
  mounted(ChangeDialog as never, { workspaceId: 'w', changeId: 'c', onclose: () => undefined } as never, bridge)
  await vi.waitFor(() => expect(document.body.textContent).toContain('will be sent soon'))
  queue = [{ ...change('queued'), ...outcome, changeId: 'another id' }]
  for (const tell of listeners) tell({ push: 'changed', workspaceId: 'w', tables: ['queue', 'variables'] })
  await vi.waitFor(() => expect(document.body.textContent).toContain(words))
  expect(document.body.textContent).not.toContain('already been sent or resolved')
})

test('a conflict stays on screen until its answer is done, although the change leaves the queue before', async () => {
  let queue: readonly QueueRow[] = [change('conflict')]
  const listeners = new Set<(push: Push) => void>()
  let answer: (result: unknown) => void = () => undefined
  const bridge = {
    query: (name: string) => {
      if (name === 'queue.list') return Promise.resolve({ ok: true, value: queue })
      if (name !== 'conflicts.show') return Promise.resolve({ ok: true, value: [] })
      return Promise.resolve(
        queue.length === 0
          ? { ok: false, error: { kind: 'not-found', message: 'This conflict has already been resolved.' } }
          : { ok: true, value: conflict },
      )
    },
    command: () => new Promise((resolve) => (answer = resolve)),
    onPush: (listen: (push: Push) => void) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  } as unknown as Bridge
  const onclose = vi.fn()
  mounted(ChangeDialog as never, { workspaceId: 'w', changeId: 'c', onclose } as never, bridge)
  const review = () => document.querySelector('[data-testid="conflict-review"]')
  await vi.waitFor(() => expect(review()).not.toBeNull())
  const take = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Take theirs')
  await vi.waitFor(() => {
    take?.click()
    expect(take?.ariaBusy ?? take?.getAttribute('aria-busy')).toBe('true')
  })
  queue = []
  for (const tell of listeners) tell({ push: 'changed', workspaceId: 'w', tables: ['queue', 'variables'] })
  await settled()
  await new Promise((done) => setTimeout(done, 300))
  expect(review()).not.toBeNull()
  expect(document.body.textContent).not.toMatch(/already been (?:sent or )?resolved/)
  answer({ ok: true, value: { restored: false } })
  await vi.waitFor(() => expect(onclose).toHaveBeenCalledOnce())
})
