// @vitest-environment happy-dom
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CopiedValue, type ClipboardKeeper } from '../../../src/lib/copied-value.ts'

/** The clipboard as a window sees it. */
const setUp = ({ mayRead = false, keeper }: { mayRead?: boolean; keeper?: ClipboardKeeper } = {}) => {
  const state = { text: 'secret' }
  const copied = new CopiedValue({
    readText: async () => state.text,
    writeText: async (text) => void (state.text = text),
    mayRead: async () => mayRead,
  })
  if (keeper) copied.keepBy(keeper)
  return { state, copied }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('without help of the application', () => {
  test('a value is taken off after its time while the window stayed in front', async () => {
    const { state, copied } = setUp()
    void copied.copy('secret', 10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.text).toBe('')
  })

  test('nothing is taken off blindly once the window lost the focus, unless it may look', async () => {
    const blind = setUp()
    void blind.copied.copy('secret', 10)
    await vi.advanceTimersByTimeAsync(0)
    blind.copied.left()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(blind.state.text).toBe('secret')

    const seeing = setUp({ mayRead: true })
    void seeing.copied.copy('secret', 10)
    await vi.advanceTimersByTimeAsync(0)
    seeing.copied.left()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(seeing.state.text).toBe('')
  })
})

describe('with the application at the clipboard', () => {
  const keeper = () => ({ copy: vi.fn(async () => false), hold: vi.fn(async () => true), release: vi.fn(async () => undefined) })

  test('it is given the fingerprint, never the value, and once it has it the window does nothing more, nor when it closes', async () => {
    vi.useRealTimers()
    const own = keeper()
    const { state, copied } = setUp({ keeper: own })
    await copied.copy('se\r\ncret', 1)
    expect(own.hold).toHaveBeenCalledWith(createHash('sha256').update('se\ncret').digest('hex'), 1)
    copied.left()
    copied.clearBlindly()
    expect(state.text).toBe('se\r\ncret')
    await vi.waitFor(async () => {
      await copied.clear()
      expect(own.release).toHaveBeenCalledOnce()
    })
  })

  test('the window sees to it where the application cannot', async () => {
    const own = { ...keeper(), hold: vi.fn(async () => false) }
    const { state, copied } = setUp({ keeper: own })
    void copied.copy('secret', 10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.text).toBe('')
    expect(own.release).not.toHaveBeenCalled()
  })
})

test.each([true, false])('a value is copied once: by the application where it can (%s), else by the window', async (can) => {
  const copy = vi.fn(async () => can)
  const { state, copied } = setUp({ keeper: { copy, hold: async () => true, release: async () => {} } })
  state.text = ''
  await copied.copy('secret', 30)
  expect(copy).toHaveBeenCalledTimes(1)
  expect(state.text).toBe(can ? '' : 'secret')
})
