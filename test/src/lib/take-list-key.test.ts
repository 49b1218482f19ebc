import { describe, expect, test, vi } from 'vitest'
import type { CommandRuns } from '../../../src/lib/commands.svelte.ts'
import { takeListKey } from '../../../src/lib/take-list-key.ts'

const pressed = (key: string, held: KeyboardEventInit, runs: CommandRuns) => {
  const event = new KeyboardEvent('keydown', { key, cancelable: true, ...held })
  const stopped = vi.spyOn(event, 'stopPropagation')
  const go = vi.fn<(index: number) => void>()
  takeListKey(event, { at: 1, total: 10, page: 4, go, runs })
  return { went: go.mock.calls.flat(), taken: event.defaultPrevented && stopped.mock.calls.length === 1 }
}

describe('a key in a list', () => {
  test.each<[string, number, KeyboardEventInit]>([
    ['ArrowDown', 2, {}],
    ['ArrowUp', 0, {}],
    ['PageDown', 5, {}],
    ['Home', 0, {}],
    ['End', 9, {}],
    ['Home', 0, { ctrlKey: true }],
    ['End', 9, { ctrlKey: true }],
  ])('%s leads to row %i, held %j', (key, row, held) => {
    expect(pressed(key, held, {})).toEqual({ went: [row], taken: true })
  })

  test.each<[string, KeyboardEventInit]>([
    ['Enter', {}],
    ['F2', {}],
    ['Delete', {}],
    ['Backspace', {}],
    ['R', { shiftKey: false }],
    ['c', { ctrlKey: true }],
    ['c', { metaKey: true }],
  ])('%s %j runs the command that has it, and goes no further', (key, held) => {
    const ran: string[] = []
    const runs: CommandRuns = {
      'members.role': () => ran.push('members.role'),
      'members.remove': () => ran.push('members.remove'),
      'queue.retry': () => ran.push('queue.retry'),
      'versions.copy': () => ran.push('versions.copy'),
    }
    expect(pressed(key, held, runs)).toEqual({ went: [], taken: true })
    expect(ran).toHaveLength(1)
  })

  test.each<[string, KeyboardEventInit]>([
    ['ArrowDown', { altKey: true }],
    ['PageDown', { ctrlKey: true }],
    ['Enter', { ctrlKey: true }],
    ['Delete', {}],
    ['x', {}],
  ])('%s %j that stands for nothing there goes on', (key, held) => {
    const run = vi.fn<() => void>()
    expect(pressed(key, held, { 'members.role': run })).toEqual({ went: [], taken: false })
    expect(run).not.toHaveBeenCalled()
  })
})
