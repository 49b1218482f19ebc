import { flushSync } from 'svelte'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { commands } from '../../../src/lib/commands.svelte.ts'

const leaves: (() => void)[] = []
const offer = (runs: Parameters<typeof commands.offer>[0]) => leaves.push(commands.offer(runs))
afterEach(() => {
  for (const leave of leaves.splice(0)) leave()
  document.body.replaceChildren()
})

const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  target.addEventListener('keydown', (heard) => commands.press(heard as KeyboardEvent), { once: true })
  target.dispatchEvent(event)
  return event
}

const put = (html: string): Element => {
  document.body.innerHTML = html
  const element = document.body.firstElementChild
  if (element === null) throw new Error('nothing was put')
  return element
}

describe('commands', () => {
  test('are there while somebody offers them, and go to the one that came last', () => {
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
    offer({ 'view.filter': first })
    const leave = commands.offer({ 'view.filter': second })
    expect(commands.available).toEqual(['view.filter'])
    commands.run('view.filter')
    leave()
    commands.run('view.filter')
    expect([second.mock.calls.length, first.mock.calls.length]).toEqual([1, 1])
    expect(commands.run('table.new')).toBe(false)
  })

  test('of the next screen stay when the last one is taken down in the same breath', () => {
    let screen = $state('first')
    const stop = $effect.root(() => {
      for (const each of ['second', 'first']) {
        $effect(() => {
          if (screen === each) return commands.offer({ [each === 'first' ? 'table.new' : 'compare.pair']: () => undefined })
        })
      }
    })
    flushSync()
    expect(commands.available).toEqual(['table.new'])
    screen = 'second'
    flushSync()
    expect(commands.available).toEqual(['compare.pair'])
    stop()
    expect(commands.available).toEqual([])
  })

  test.each([
    ['a letter over the page', 'n', {}, '<div></div>', true],
    ['a letter typed into a field', 'n', {}, '<input>', false],
    ['Ctrl and a key in a field', 'k', { ctrlKey: true }, '<input>', true],
    ['a letter while a dialog is open', 'n', {}, '<div role="dialog"></div>', false],
    ['Ctrl and a key while a menu is open', 'k', { ctrlKey: true }, '<div role="menu"></div>', false],
    ['a letter held with Alt', 'n', { altKey: true }, '<div></div>', false],
    ['a key that belongs to a table', 'Escape', {}, '<div></div>', false],
  ])('%s: taken is %5$s', (_, key, init, html, taken) => {
    const run = vi.fn<() => void>()
    offer({ 'table.new': run, 'palette.open': run, 'compare.close': run })
    const event = press(key, init, put(html))
    expect([run.mock.calls.length, event.defaultPrevented]).toEqual(taken ? [1, true] : [0, false])
  })

  describe('of a screen that still loads', () => {
    afterEach(() => commands.forgetEarly())

    test('run for the last key that was pressed before', () => {
      const [invite, filter] = [vi.fn<() => void>(), vi.fn<() => void>()]
      commands.keepEarly()
      expect(press('/').defaultPrevented).toBe(true)
      press('i')
      offer({ 'members.invite': invite, 'view.filter': filter })
      commands.runEarly()
      commands.runEarly()
      expect([invite.mock.calls.length, filter.mock.calls.length]).toEqual([1, 0])
    })

    test.each([
      ['another command was run since', () => (offer({ 'shortcuts.open': () => undefined }), press('?'))],
      ['the screen went before it was loaded', () => commands.forgetEarly()],
      ['a dialog has opened since', () => put('<div role="dialog"></div>')],
    ])('do not run when %s', (_, happen) => {
      const invite = vi.fn<() => void>()
      commands.keepEarly()
      press('i')
      happen()
      offer({ 'members.invite': invite })
      commands.runEarly()
      expect(invite).not.toHaveBeenCalled()
    })

    test('leave a key that is no command alone', () => {
      commands.keepEarly()
      expect(press('x').defaultPrevented).toBe(false)
    })
  })
})
