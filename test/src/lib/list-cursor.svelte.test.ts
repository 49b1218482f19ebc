import { flushSync } from 'svelte'
import { afterEach, describe, expect, test } from 'vitest'
import { ListCursor } from '../../../src/lib/list-cursor.svelte.ts'

const leaving: (() => void)[] = []
afterEach(() => {
  for (const leave of leaving.splice(0)) leave()
})

/** A cursor over rows of these ids; `become` loads others. */
const over = (...ids: string[]) => {
  let loaded = $state.raw<{ ids: string[]; offset?: number; total?: number }>({ ids })
  const revealed: number[] = []
  let cursor: ListCursor | undefined
  leaving.push($effect.root(() => void (cursor = new ListCursor(() => loaded))))
  if (cursor === undefined) throw new Error('the cursor is made at once')
  cursor.view = { reveal: (index) => revealed.push(index), toTop: () => undefined, pageSize: () => 2 }
  flushSync()
  return {
    cursor,
    revealed,
    become(next: typeof loaded) {
      loaded = next
      flushSync()
    },
    active: () => loaded.ids[(cursor?.at ?? 0) - (loaded.offset ?? 0)],
  }
}

describe('the active row of a list', () => {
  test('stays with its record when others come and go', () => {
    const { cursor, become, active } = over('a', 'b', 'c')
    become({ ids: ['new', 'a', 'b', 'c'] })
    expect(active()).toBe('a')
    cursor.press(2)
    become({ ids: ['c', 'b'] })
    expect(active()).toBe('b')
  })

  test('is the next one when its record is deleted, and stays with that one', () => {
    const { cursor, become, active } = over('a', 'b', 'c')
    cursor.press(1)
    become({ ids: ['a', 'c'] })
    expect(active()).toBe('c')
    become({ ids: ['new', 'a', 'c'] })
    expect(active()).toBe('c')
    become({ ids: [] })
    expect(cursor.at).toBe(0)
  })

  test('becomes one that was just added, also when it is loaded later', () => {
    const { cursor, revealed, become, active } = over('a', 'b')
    cursor.expect('b')
    expect(active()).toBe('b')
    cursor.expect('c')
    become({ ids: ['new', 'a', 'b'] })
    expect(active()).toBe('b')
    become({ ids: ['a', 'b', 'c'] })
    expect(active()).toBe('c')
    expect(revealed).toEqual([1, 2])
  })

  test('is not waited for once another row was chosen', () => {
    const { cursor, become, active } = over('a', 'b')
    cursor.expect('c')
    cursor.press(1)
    become({ ids: ['a', 'b', 'c'] })
    expect(active()).toBe('b')
  })

  test('stays where it is while other rows of a long list are loaded', () => {
    const { cursor, become, active } = over('a', 'b', 'c')
    cursor.press(2)
    become({ ids: ['x', 'y'], offset: 50, total: 60 })
    expect(cursor.at).toBe(2)
    become({ ids: ['b', 'c', 'd'], offset: 2, total: 60 })
    expect(active()).toBe('c')
  })
})
