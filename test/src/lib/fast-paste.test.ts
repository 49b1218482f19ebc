// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { fastPaste } from '../../../src/lib/fast-paste.ts'

const paste = (area: HTMLTextAreaElement, text: string) => {
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: { getData: () => text } })
  area.dispatchEvent(event)
  return event.defaultPrevented
}

const setUp = () => {
  const area = document.createElement('textarea')
  const detach = fastPaste(area)
  const onInput = vi.fn()
  area.addEventListener('input', onInput)
  return { area, detach, onInput }
}

test('a long paste replaces the selection, and whoever listens to the field hears of it', () => {
  const { area, onInput } = setUp()
  area.value = 'before MIDDLE after'
  area.setSelectionRange(7, 13)
  const long = 'LINE=1\n'.repeat(10_000)
  expect(paste(area, long)).toBe(true)
  expect(area.value).toBe(`before ${long} after`)
  expect(onInput).toHaveBeenCalledOnce()
})

test('a short paste is left to the browser, which can undo it', () => {
  const { area, onInput } = setUp()
  expect(paste(area, 'short')).toBe(false)
  expect(onInput).not.toHaveBeenCalled()
})

test('detached, it leaves every paste to the browser', () => {
  const { area, detach } = setUp()
  detach()
  expect(paste(area, 'x'.repeat(5000))).toBe(false)
})
