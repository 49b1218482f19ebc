import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { FoundName } from '../../../electron/bridge/rows.ts'
import Palette from '../../../src/features/palette/Palette.svelte'
import { commands } from '../../../src/lib/commands.svelte.ts'
import { journey } from '../../../src/lib/journey.svelte.ts'
import { fieldOf, mounted, press, settled, type } from '../support/mounted.ts'

const named = (name: string): FoundName => ({
  kind: 'variable',
  workspaceId: 'w',
  id: name,
  environmentId: 'e',
  name,
  where: 'Shop / Production',
  score: 1,
  ranges: [],
})

/** A bridge whose answers to what was typed come when `answer` is called, in any order. */
const slowBridge = () => {
  const asked = new Map<string, (names: FoundName[]) => void>()
  const bridge = {
    query: (name: string, args: { text: string }) =>
      name === 'find.search'
        ? new Promise((resolve) => asked.set(args.text, (value) => resolve({ ok: true, value })))
        : Promise.resolve({ ok: true, value: [] }),
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => {},
  } as unknown as Bridge
  const answer = async (text: string, ...names: string[]) => {
    asked.get(text)?.(names.map(named))
    await settled()
  }
  return { bridge, answer }
}

const opened = () => {
  const { bridge, answer } = slowBridge()
  const onclose = vi.fn<() => void>()
  const workspaces = [
    { id: 'w', name: 'Work', kind: 'local', baseUrl: null, needs: [], problem: null, repair: null, serviceDamage: null, undoing: null },
  ] as const
  mounted(
    Palette,
    {
      workspaces: workspaces.map((row) => ({ ...row, needs: [] })),
      workspaceId: 'w',
      projectId: null,
      start: '',
      entered: false,
      onclose,
      onleft: () => {},
    },
    bridge,
  )
  const field = fieldOf(document, 'Find a command, project, environment or variable')
  expect(field.placeholder).toBe(field.ariaLabel ?? field.getAttribute('aria-label'))
  const names = () => [...document.querySelectorAll('[role="option"]')].map((option) => option.getAttribute('data-name'))
  return { answer, onclose, field, names }
}

afterEach(() => journey.done())

describe('the palette', () => {
  test('an answer to what was typed before never replaces the answer to what is typed now', async () => {
    const { answer, field, names } = opened()
    type(field, 'a')
    type(field, 'ab')
    await answer('ab', 'ABACUS')
    expect(names()).toEqual(['ABACUS'])
    await answer('a', 'ANVIL')
    expect(names()).toEqual(['ABACUS'])
  })

  test('the last answer stays until the next is here', async () => {
    const { answer, field, names } = opened()
    type(field, 'a')
    await answer('a', 'ANVIL', 'ABACUS')
    type(field, 'ab')
    expect(names()).toEqual(['ANVIL', 'ABACUS'])
    await answer('ab', 'ABACUS')
    expect(names()).toEqual(['ABACUS'])
  })

  test('a click takes what the button went down on, though an answer comes before it goes up', async () => {
    const { answer, field } = opened()
    const first = () => document.querySelector('[role="option"]')
    type(field, 'a')
    await answer('a', 'ANVIL')
    type(field, 'ab')
    first()?.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
    await answer('ab', 'ABACUS')
    expect(first()?.getAttribute('data-name')).toBe('ABACUS')
    first()?.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await settled()
    expect(journey.to).toMatchObject({ variable: { id: 'ANVIL' } })
  })

  test('Enter before the answer goes where the answer leads', async () => {
    const { answer, onclose, field } = opened()
    type(field, 'a')
    await answer('a', 'ANVIL')
    type(field, 'ab')
    press(field, 'Enter')
    expect(onclose).not.toHaveBeenCalled()
    await answer('ab', 'ABACUS')
    expect(onclose).toHaveBeenCalledOnce()
    expect(journey.to).toMatchObject({ workspaceId: 'w', environmentId: 'e', variable: { id: 'ABACUS' } })
  })

  test.each([
    ['names', ['ANVIL', 'ABACUS']],
    ['nothing', []],
  ])('a key leaves the list as it is until the answer is here, of %s', async (_what, names) => {
    const leave = commands.offer({ 'workspace.sync': () => undefined })
    const { answer, field } = opened()
    const drawn = () => document.querySelector('[data-testid="palette"]')?.innerHTML
    type(field, 's')
    await answer('s', ...names)
    const before = drawn()
    type(field, 'sz')
    expect(drawn()).toBe(before)
    await answer('sz')
    expect(drawn()).not.toBe(before)
    leave()
  })

  test('arrows walk the options round, and the field names the chosen one', async () => {
    const { answer, field } = opened()
    type(field, 'a')
    await answer('a', 'ANVIL', 'ABACUS')
    const chosen = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.getAttribute('data-name')
    expect(chosen()).toBe('ANVIL')
    press(field, 'ArrowDown')
    await settled()
    expect(chosen()).toBe('ABACUS')
    press(field, 'ArrowDown')
    await settled()
    expect(chosen()).toBe('ANVIL')
  })

  test('runs the command that is chosen', async () => {
    const run = vi.fn<() => void>()
    const leave = commands.offer({ 'workspace.sync': run })
    const { answer, field, onclose } = opened()
    type(field, 'sync now')
    await answer('sync now')
    press(field, 'Enter')
    await settled()
    expect(onclose).toHaveBeenCalledOnce()
    expect(run).toHaveBeenCalledOnce()
    leave()
  })
})
