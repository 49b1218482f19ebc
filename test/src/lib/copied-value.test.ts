// @vitest-environment happy-dom
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CopiedValue, type ClipboardKeeper } from '../../../src/lib/copied-value.ts'

/** The clipboard as a window sees it. */
const setUp = ({ mayRead = false, keeper }: { mayRead?: boolean; keeper?: ClipboardKeeper } = {}) => {
  const state = { text: 'secret' }
  const copied = new CopiedValue({
    readText: async () => state.text,
    write: async (text) => void (state.text = await text),
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
    void copied.copy(Promise.resolve('secret'), 10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.text).toBe('')
  })

  test('nothing is taken off blindly once the window lost the focus, unless it may look', async () => {
    const blind = setUp()
    void blind.copied.copy(Promise.resolve('secret'), 10)
    await vi.advanceTimersByTimeAsync(0)
    blind.copied.left()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(blind.state.text).toBe('secret')

    const seeing = setUp({ mayRead: true })
    void seeing.copied.copy(Promise.resolve('secret'), 10)
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
    await copied.copy(Promise.resolve('se\r\ncret'), 1)
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
    void copied.copy(Promise.resolve('secret'), 10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.text).toBe('')
    expect(own.release).not.toHaveBeenCalled()
  })
})

test.each([true, false])('a value is copied once: by the application where it can (%s), else by the window', async (can) => {
  const copy = vi.fn(async () => can)
  const { state, copied } = setUp({ keeper: { copy, hold: async () => true, release: async () => {} } })
  state.text = ''
  await copied.copy(Promise.resolve('secret'), 30)
  expect(copy).toHaveBeenCalledTimes(1)
  expect(state.text).toBe(can ? '' : 'secret')
})

describe('a browser that allows writing only in a key or click', () => {
  /** Allowed by `act`, for one write. */
  const guarded = () => {
    const state = { text: '', isAllowed: true }
    const copied = new CopiedValue({
      readText: async () => state.text,
      write(text) {
        if (!state.isAllowed) return Promise.reject(new DOMException('No.', 'NotAllowedError'))
        state.isAllowed = false
        return text.then((known) => void (state.text = known))
      },
      mayRead: async () => false,
    })
    return { state, copied }
  }

  test('is asked in the key that copies, before the value has been read', async () => {
    const { state, copied } = guarded()
    const reading = Promise.withResolvers<string>()
    const done = copied.copy(reading.promise, 30)
    expect(state.isAllowed).toBe(false)
    reading.resolve('secret')
    expect(await done).toEqual({ isAlwaysCleared: false })
    expect(state.text).toBe('secret')
    copied.forget()
  })

  test.each(['keydown', 'pointerup', 'focus'])('clears a value at the next %s after its time', async (event) => {
    const { state, copied } = guarded()
    void copied.copy(Promise.resolve('secret'), 10)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(state.text).toBe('secret')
    state.isAllowed = true
    dispatchEvent(new Event(event))
    await vi.advanceTimersByTimeAsync(0)
    expect(state.text).toBe('')
  })

  test('keeps what is on the clipboard if the value could not be read', async () => {
    const { state, copied } = guarded()
    state.text = 'before'
    await expect(copied.copy(Promise.reject(new Error('Gone.')), 10)).rejects.toThrow('Gone.')
    expect(state.text).toBe('before')
  })
})
