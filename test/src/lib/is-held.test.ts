// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import CommandCentre from '../../../src/features/palette/CommandCentre.svelte'
import { mounted, press } from '../support/mounted.ts'

const inWindow = () => {
  const bridge = { query: () => new Promise(() => undefined), command: () => new Promise(() => undefined), onPush: () => () => undefined }
  const props = { workspaces: [], workspaceId: 'w', projectId: null, onadd: () => undefined }
  return mounted(CommandCentre as never, props as never, bridge as never)
}

/** What a key does at an element of the window: whether a list or dialog hears it, and whether the browser may act on it. */
const pressedAt = (tag: 'div' | 'button' | 'input', key: string, held: KeyboardEventInit) => {
  const element = document.createElement(tag)
  inWindow().append(element)
  const heard = vi.fn<(event: Event) => void>()
  element.addEventListener('keydown', heard)
  press(element, key, held)
  const [event] = heard.mock.lastCall ?? []
  return event !== undefined && !event.defaultPrevented
}

test.each([
  ['div', 't'],
  ['div', 'a'],
  ['div', 'Delete'],
  ['div', 'Backspace'],
  ['div', ' '],
  ['div', 'Escape'],
  ['button', 'Enter'],
] as const)('a key that is held acts once: in a %s, %s', (tag, key) => {
  expect(pressedAt(tag, key, {})).toBe(true)
  expect(pressedAt(tag, key, { repeat: true })).toBe(false)
})

test.each([
  ['div', 'ArrowDown', {}],
  ['div', 'PageUp', {}],
  ['div', 'Tab', {}],
  ['input', 'a', {}],
  ['input', 'Backspace', {}],
  ['div', 'z', { ctrlKey: true }],
  ['div', '+', { metaKey: true }],
] as const)('a key that is held goes on moving, typing, undoing and zooming: in a %s, %s %j', (tag, key, held) => {
  expect(pressedAt(tag, key, { ...held, repeat: true })).toBe(true)
})
