// @vitest-environment happy-dom
import { flushSync } from 'svelte'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push, Table } from '../../../electron/bridge/contract.ts'
import type { QueueRow } from '../../../electron/bridge/rows.ts'
import { LiveQuery } from '../../../src/lib/live-query.svelte.ts'
import { tellCommands } from '../../../src/lib/own-commands.ts'

const row = (name: string): QueueRow => ({
  changeId: name,
  seq: 1,
  kind: 'update',
  subject: 'variable',
  name,
  where: '',
  at: { projectId: null, environmentId: null, variableId: null },
  fields: [],
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
  createdAt: '2026-11-21T12:00:00Z',
})

const setUp = () => {
  const listeners = new Set<(push: Push) => void>()
  const asked: unknown[] = []
  let next: { ok: boolean; value?: unknown; error?: unknown } = { ok: true, value: [row('A')] }
  const bridge: Bridge = {
    query: (_, args) => {
      asked.push(args)
      return Promise.resolve(next as never)
    },
    command: () => Promise.resolve({ ok: false, error: { kind: 'offline', message: 'No connection. Try again.' } }),
    onPush: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  let workspaceId = $state<string | null>('w1')
  let held = $state(false)
  let live: LiveQuery<'queue.list'> | undefined
  const stop = $effect.root(() => {
    live = new LiveQuery(
      bridge,
      'queue.list',
      () => (workspaceId === null ? null : { workspaceId }),
      () => held,
    )
  })
  flushSync()
  if (live === undefined) throw new Error('the effect root ran')
  return {
    live,
    command: () => tellCommands(bridge).command('sync.now', { workspaceId: 'w1' }),
    asked,
    stop,
    listeners,
    answerWith: (answer: typeof next) => (next = answer),
    choose: (id: string | null) => {
      workspaceId = id
      flushSync()
    },
    hold: (now: boolean) => {
      held = now
      flushSync()
    },
    push: (tables: Table[], about: string | null = 'w1') => {
      for (const listener of listeners) listener({ push: 'changed', workspaceId: about, tables })
    },
  }
}

/** Lets answers arrive, and no time pass: whether a pause is over must not depend on how busy the machine is. */
const settled = () => vi.advanceTimersByTimeAsync(0)

describe('a live query', () => {
  let stop = () => {}
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    stop()
    vi.useRealTimers()
  })
  const start = () => {
    const all = setUp()
    stop = all.stop
    return all
  }

  test('asks at once and holds the answer', async () => {
    const { live, asked } = start()
    expect(live.value).toBeUndefined()
    await settled()
    expect(asked).toEqual([{ workspaceId: 'w1' }])
    expect(live.value?.map((change) => change.name)).toEqual(['A'])
  })

  test.each([
    ['a table it reads', ['queue'], 'w1', 2],
    ['a table it reads, in every workspace', ['queue'], null, 2],
    ['tables it does not read', ['variables', 'app'], 'w1', 1],
    ['another workspace', ['queue'], 'w2', 1],
  ] as const)('after a push that names %s has asked as often as needed', async (_, tables, about, times) => {
    const { asked, push } = start()
    await settled()
    push([...tables], about)
    await settled()
    expect(asked).toHaveLength(times)
  })

  test('follows no push while it is held, and makes up for them once when it is let go', async () => {
    const { asked, push, hold } = start()
    await settled()
    hold(true)
    push(['queue'])
    push(['queue'])
    await settled()
    expect(asked).toHaveLength(1)
    hold(false)
    await vi.waitFor(() => expect(asked).toHaveLength(2))
    hold(true)
    hold(false)
    await settled()
    expect(asked).toHaveLength(2)
  })

  test('keeps the last answer on screen while it asks again, and when that fails', async () => {
    const { live, push, answerWith } = start()
    await settled()
    answerWith({ ok: false, error: { kind: 'offline', message: 'No connection. Try again.' } })
    push(['queue'])
    expect(live.value).toHaveLength(1)
    await settled()
    expect(live.value).toHaveLength(1)
    expect(live.error?.kind).toBe('offline')
    answerWith({ ok: true, value: [] })
    push(['queue'])
    await vi.waitFor(() => expect(live.value).toEqual([]))
    expect(live.error).toBeNull()
  })

  test('a burst of pushes is one ask at once and one after it, and the last change is never missed', async () => {
    const { live, asked, push, answerWith } = start()
    await settled()
    for (let count = 0; count < 50; count++) push(['queue'])
    await settled()
    expect(asked).toHaveLength(2)
    answerWith({ ok: true, value: [] })
    await vi.waitFor(() => expect(live.value).toEqual([]))
    expect(asked).toHaveLength(3)
  })

  test('does not let a pause keep back what a command of its window changed', async () => {
    const { asked, push, command } = start()
    await settled()
    push(['queue'])
    await settled()
    push(['queue'])
    await settled()
    expect(asked).toHaveLength(2)
    await command()
    await settled()
    expect(asked).toHaveLength(3)
    // Nothing waits: a command that changed nothing asks for nothing.
    await command()
    await settled()
    expect(asked).toHaveLength(3)
  })

  test('is behind from a push on, until an answer that was asked for after it', async () => {
    const { live, push } = start()
    await settled()
    expect(live.isBehind).toBe(false)
    push(['variables'])
    expect(live.isBehind).toBe(false)
    push(['queue'])
    // While the first answer is under way: that one is too old already.
    push(['queue'])
    expect(live.isBehind).toBe(true)
    await settled()
    expect(live.isBehind).toBe(true)
    await vi.waitFor(() => expect(live.isBehind).toBe(false))
  })

  test('asks again when its arguments change', async () => {
    const { asked, choose } = start()
    await settled()
    choose('w2')
    await settled()
    expect(asked).toEqual([{ workspaceId: 'w1' }, { workspaceId: 'w2' }])
  })

  test('forgets its answer when there is nothing to ask', async () => {
    const { live, choose, listeners } = start()
    await settled()
    choose(null)
    expect(live.value).toBeUndefined()
    expect(listeners.size).toBe(0)
  })

  test('listens no more once its screen is gone', async () => {
    const { listeners, stop: end } = start()
    await settled()
    expect(listeners.size).toBe(1)
    end()
    expect(listeners.size).toBe(0)
  })
})
