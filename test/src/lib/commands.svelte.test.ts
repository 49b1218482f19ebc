import { flushSync } from 'svelte'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { access } from '../../../src/lib/access.svelte.ts'
import { commands } from '../../../src/lib/commands.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

const leaves: (() => void)[] = []
const offer = (runs: Parameters<typeof commands.offer>[0]) => leaves.push(commands.offer(runs))
afterEach(() => {
  for (const leave of leaves.splice(0)) leave()
  document.body.replaceChildren()
})

const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init })
  const first = (heard: KeyboardEvent) => commands.pressAnywhere(heard)
  const then = (heard: KeyboardEvent) => commands.press(heard)
  window.addEventListener('keydown', first, { capture: true })
  window.addEventListener('keydown', then)
  target.dispatchEvent(event)
  window.removeEventListener('keydown', first, { capture: true })
  window.removeEventListener('keydown', then)
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

  test('are not listed while the user may not run what they lead to, and say why when their key is pressed', () => {
    onTestFinished(() => access.learn(null))
    const run = vi.fn<() => void>()
    offer({ 'table.new': access.guard('variables.create', run), 'view.filter': () => undefined })
    access.learn({ isViewOnly: true, keepsDeleted: true, refusals: { 'variables.create': 'You can only view this workspace.' } })
    expect(commands.available).toEqual(['view.filter'])
    commands.run('table.new')
    expect(run).not.toHaveBeenCalled()
    expect(toasts.list.map(({ text }) => text)).toEqual(['You can only view this workspace.'])
    access.learn(null)
    expect(commands.available).toEqual(['view.filter', 'table.new'])
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

  test.each([
    ['in an editor that keeps its keys to itself', 'k', {}, '<div><input></div>', true],
    ['while a dialog is open', 'k', {}, '<div role="dialog"><input></div>', false],
    ['while a dialog is open, for a command that runs there too', 'L', { shiftKey: true }, '<div role="dialog"><input></div>', true],
  ])('Ctrl and a key %s: taken is %5$s', (_, key, init, html, taken) => {
    const run = vi.fn<() => void>()
    offer({ 'palette.open': run, 'workspace.lock': run })
    const box = put(html)
    box.addEventListener('keydown', (event) => event.stopPropagation())
    const first = (event: KeyboardEvent) => commands.pressAnywhere(event)
    window.addEventListener('keydown', first, { capture: true })
    box
      .querySelector('input')
      ?.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true, cancelable: true, ...init }))
    window.removeEventListener('keydown', first, { capture: true })
    expect(run).toHaveBeenCalledTimes(taken ? 1 : 0)
  })

  describe('of a screen that still loads', () => {
    afterEach(() => commands.forgetEarly())

    /** A list that has come and takes the focus; the keys it heard. */
    const putList = (): string[] => {
      const heard: string[] = []
      const list = put('<div tabindex="0"></div>') as HTMLElement
      list.addEventListener('keydown', (event) => {
        heard.push(event.key)
        event.preventDefault()
      })
      list.focus()
      return heard
    }

    test.each([
      ['steps in a list, and the key after them', ['ArrowDown', 'End', 'Enter'], ['ArrowDown', 'End', 'Enter']],
      ['no key after one that did something', ['ArrowDown', 'Enter', 'ArrowDown', 'Delete'], ['ArrowDown', 'Enter']],
      ['no key of the system', ['F5', 'Tab', 'Shift', 'ArrowDown'], ['ArrowDown']],
    ])('are pressed again, in order: %s', async (_, keys, heard) => {
      commands.keepEarly()
      const taken = keys.filter((key) => press(key).defaultPrevented)
      expect(taken).toEqual(keys.filter((key) => !['F5', 'Tab', 'Shift'].includes(key)))
      const list = putList()
      await commands.runEarly()
      await commands.runEarly()
      expect(list).toEqual(heard)
    })

    // A table without rows is no grid to readers.
    test.each(['grid', 'group'])('are pressed again in a table that had the focus before its rows had come, as a %s', async (role) => {
      commands.keepEarly()
      const table = put(`<main><div role="${role}" tabindex="0"></div></main>`).querySelector<HTMLElement>('[role]')
      if (table === null) throw new Error('There is a table.')
      table.focus()
      for (const [key, init] of [
        ['End', { ctrlKey: true }],
        ['Enter', {}],
      ] as const)
        press(key, init, table)
      const heard: string[] = []
      table.addEventListener('keydown', ({ key, ctrlKey }) => heard.push(ctrlKey ? `Ctrl+${key}` : key))
      await commands.runEarly()
      expect(heard).toEqual(['Ctrl+End', 'Enter'])
    })

    test('run the command that the screen offers for them', async () => {
      const invite = vi.fn<() => void>()
      commands.keepEarly()
      press('i')
      offer({ 'members.invite': invite })
      const listen = (event: KeyboardEvent) => commands.press(event)
      window.addEventListener('keydown', listen)
      await commands.runEarly()
      window.removeEventListener('keydown', listen)
      expect(invite).toHaveBeenCalledOnce()
    })

    test.each([
      ['another command was run since', () => (offer({ 'shortcuts.open': () => undefined }), press('?'))],
      ['the screen went before it was loaded', () => commands.forgetEarly()],
      ['a dialog has opened since', () => document.body.insertAdjacentHTML('beforeend', '<div role="dialog"></div>')],
    ])('are not pressed again when %s', async (_, happen) => {
      commands.keepEarly()
      press('i')
      const list = putList()
      happen()
      await commands.runEarly()
      expect(list).toEqual([])
    })

    test.each([
      ['typed into a field', 'x', '<input>'],
      ['of a button that has the focus', 'Enter', '<button></button>'],
    ])('leave a key alone that is %s', (_, key, html) => {
      commands.keepEarly()
      expect(press(key, {}, put(html)).defaultPrevented).toBe(false)
    })
  })
})
