import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clipboardHandlers } from '../../../electron/app/clipboard/clipboard-handlers.ts'
import { clipboardDigest, watchClipboard } from '../../../electron/app/clipboard/watch-clipboard.ts'

/** The clipboard of a computer, which a test cannot share with whoever sits at it. */
const setUp = (text: string) => {
  const state = {
    text,
    refuses: false,
    async write(written: string) {
      state.text = written
      return true
    },
  }
  const failed = vi.fn()
  const watch = watchClipboard(
    {
      readText: async () => {
        if (state.refuses) throw new Error('no')
        return state.text
      },
      clear: () => (state.text = ''),
      writeConfidential: (written) => state.write(written),
    },
    failed,
  )
  return { state, failed, watch }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a copied value is taken off after its time, wherever the window is', async () => {
  const { state, watch } = setUp('secret')
  watch.hold(clipboardDigest('secret'), 30)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(state.text).toBe('secret')
  await vi.advanceTimersByTimeAsync(1000)
  expect(state.text).toBe('')
})

test('what somebody copied since stays', async () => {
  const { state, watch } = setUp('secret')
  watch.hold(clipboardDigest('secret'), 30)
  state.text = 'of somebody else'
  await vi.advanceTimersByTimeAsync(30_000)
  expect(state.text).toBe('of somebody else')
})

test('a later copy is counted anew, and the earlier one is not looked for any more', async () => {
  const { state, watch } = setUp('second')
  watch.hold(clipboardDigest('first'), 10)
  watch.hold(clipboardDigest('second'), 30)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(state.text).toBe('second')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(state.text).toBe('')
})

test('it goes at once when it is released, as at a lock and at the end, and once only', async () => {
  const { state, watch } = setUp('secret')
  watch.hold(clipboardDigest('secret'), 30)
  await watch.release()
  expect(state.text).toBe('')
  state.text = 'secret'
  await watch.release()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(state.text).toBe('secret')
})

test('a value that is released while it is being copied is taken off once it is there', async () => {
  const written = Promise.withResolvers<undefined>()
  const { state, watch } = setUp('before')
  state.write = async (text) => {
    await written.promise
    state.text = text
    return true
  }
  const copied = watch.copy('secret', 30)
  const released = watch.release()
  written.resolve(undefined)
  await Promise.all([copied, released])
  expect(state.text).toBe('')
})

test.each([
  ['is taken off after its time', 30, ''],
  ['stays, where the settings say so', 0, 'secret'],
])('what the application copied %s', async (_what, seconds, left) => {
  const { state, watch } = setUp('before')
  await watch.copy('secret', seconds)
  expect(state.text).toBe('secret')
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(state.text).toBe(left)
})

test('a clipboard that refuses is told of, and nothing rejects', async () => {
  const { state, failed, watch } = setUp('secret')
  watch.hold(clipboardDigest('secret'), 1)
  state.refuses = true
  await watch.release()
  expect(failed).toHaveBeenCalledOnce()
})

test('the digest is the SHA-256 of the text in UTF-8, with every line ended alike', () => {
  const known = createHash('sha256').update('a\nß', 'utf8').digest('hex')
  expect(clipboardDigest('a\nß')).toBe(known)
  expect(clipboardDigest('a\r\nß')).toBe(known)
})

test('where the shell has no clipboard, the page is told to see to it itself', async () => {
  const answer = await clipboardHandlers(null)['clipboard.hold']({ digest: clipboardDigest('x'), seconds: 1 })
  expect(answer).toEqual({ ok: true, value: { held: false } })
})
