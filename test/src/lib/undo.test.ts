// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { undo, undoAction } from '../../../src/lib/undo.ts'

afterEach(() => {
  for (const toast of toasts.list) toasts.dismiss(toast.id)
})

const setUp = () => {
  const steps = ['Delete PORT']
  const commands: string[] = []
  const bridge: Bridge = {
    query: () => Promise.resolve({ ok: true, value: { undo: steps.at(-1) ?? null, redo: null } } as never),
    command: (name) => {
      commands.push(name)
      const label = steps.pop()
      const answer =
        label === undefined
          ? { ok: false, error: { kind: 'not-found', message: 'There is nothing to undo.' } }
          : { ok: true, value: { label } }
      return Promise.resolve(answer as never)
    },
    onPush: () => () => {},
  }
  return { bridge, steps, commands }
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
const said = () => toasts.list.map((toast) => toast.text)

test('undo says what it took back, and when there is nothing', async () => {
  const { bridge } = setUp()
  await undo(bridge, 'w', 'undo')
  await undo(bridge, 'w', 'undo')
  expect(said()).toEqual(['Undone: Delete PORT', 'There is nothing to undo.'])
})

test('the button of an edit takes that edit back', async () => {
  const { bridge, commands } = setUp()
  const action = await undoAction(bridge, 'w')
  action?.run()
  await settled()
  expect(commands).toEqual(['undo.undo'])
})

test('the button of an edit never takes back a later one', async () => {
  const { bridge, steps, commands } = setUp()
  const action = await undoAction(bridge, 'w')
  steps.push('Rename HOST')
  action?.run()
  await settled()
  expect(commands).toEqual([])
  expect(said()).toEqual([expect.stringContaining('edited something else since')])
})

test('an edit that cannot be undone has no button', async () => {
  const { bridge, steps } = setUp()
  steps.length = 0
  expect(await undoAction(bridge, 'w')).toBeNull()
})

test('of two edits only the newest still offers its button', () => {
  const action = { name: 'Undo', run: () => {} }
  toasts.say('Deleted A', 'plain', action)
  toasts.say('Imported', 'good')
  toasts.say('Deleted B', 'plain', action)
  expect(said()).toEqual(['Imported', 'Deleted B'])
})
