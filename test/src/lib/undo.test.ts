// @vitest-environment happy-dom
import { afterEach, expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { journey } from '../../../src/lib/journey.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { nextSteps, undo, undoAction } from '../../../src/lib/undo.ts'

afterEach(() => {
  for (const toast of toasts.list) toasts.dismiss(toast.id)
})

/** A bridge to an application with one step of undo; each step is its label. */
const setUp = () => {
  const steps = ['Delete PORT']
  const undone: string[] = []
  const commands: string[] = []
  const bridge: Bridge = {
    query: () => Promise.reject(new Error('nothing is asked')),
    command: (name, args) => {
      const [from, to] = name === 'undo.undo' ? [steps, undone] : [undone, steps]
      const { step = from.at(-1) } = args as { step?: string }
      const label = step === from.at(-1) ? from.pop() : undefined
      if (label === undefined)
        return Promise.resolve({ ok: false, error: { kind: 'not-found', message: 'There is nothing to undo.' } } as never)
      commands.push(name)
      to.push(label)
      return Promise.resolve({ ok: true, value: { label }, step: label } as never)
    },
    onPush: () => () => {},
  }
  return { bridge, steps, undone, commands }
}

/** A bridge whose undo answers with these results, one after the other. */
const answering = (...answers: object[]): Bridge => ({
  query: () => Promise.reject(new Error('nothing is asked')),
  command: () => Promise.resolve(answers.shift() as never),
  onPush: () => () => {},
})

test('steps that change nothing any more are passed over', async () => {
  const idle = { ok: true, value: { label: 'Create ADDED', isIdle: true } }
  await undo(answering(idle, idle, { ok: true, value: { label: 'Change PORT' } }), 'w', 'undo')
  expect(said()).toEqual(['Undone: Change PORT'])
})

test('an edit of a project or environment that is not shown is said with its path, by the button of its toast too', async () => {
  const answer = { ok: true, value: { label: 'Change PORT', place: { id: 'staging', path: 'Shop / Staging' } }, step: '1' }
  await undo(answering(answer), 'w', 'undo', (id) => id === 'staging')
  expect(said().at(-1)).toBe('Undone: Change PORT')
  await undo(answering(answer, answer), 'w', 'redo', (id) => id === 'production')
  expect(said().at(-1)).toBe('Redone: Change PORT in Shop / Staging')
  toasts.list.at(-1)?.action?.run()
  await settled()
  expect(said().at(-1)).toBe('Undone: Change PORT in Shop / Staging')
})

test('what was undone is said before a long path, of which only the middle is left out', async () => {
  const place = { id: 'e', path: `${'p'.repeat(200)}-eu / ${'e'.repeat(200)}-live` }
  await undo(answering({ ok: true, value: { label: 'Change PORT', place, notice: 'Others changed it.' } }), 'w', 'undo', () => false)
  expect(said()).toEqual([expect.stringMatching(/^Undone: Change PORT in p{28}…p{9}-eu \/ e{28}…e{7}-live\. Others changed it\.$/)])
})

test('the button of a toast takes back its own edit alone: one that others have undone since is said to be', async () => {
  const idle = { ok: true, value: { label: 'Change PORT', isIdle: true }, step: '1' }
  undoAction(answering(idle), 'w', { step: '1' })?.run()
  await settled()
  expect(said()).toEqual(['Already undone: Change PORT'])
})

test('undo of a rollback that is done leads to the versions of its environment', async () => {
  const error = { kind: 'rolled-back', message: 'The rollback is done.', environmentId: 'e' }
  await undo(answering({ ok: false, error }), 'w', 'undo')
  const [toast] = toasts.list
  expect(toast).toMatchObject({ tone: 'plain', text: 'The rollback is done.', action: { name: 'Versions' } })
  toast?.action?.run()
  expect(journey.to).toMatchObject({ workspaceId: 'w', environmentId: 'e', screen: 'versions' })
  journey.done()
})

const settled = () => new Promise((resolve) => setTimeout(resolve, 0))
const said = () => toasts.list.map((toast) => toast.text)

test('undo says what it took back, and when there is nothing', async () => {
  const { bridge } = setUp()
  await undo(bridge, 'w', 'undo')
  expect(said()).toEqual(['Undone: Delete PORT'])
  await undo(bridge, 'w', 'undo')
  expect(said()).toEqual(['There is nothing to undo.'])
})

test('what was undone offers to be done again, and that to be undone', async () => {
  const { bridge, commands } = setUp()
  await undo(bridge, 'w', 'undo')
  for (const name of ['Redo', 'Undo']) {
    const offered = toasts.list.at(-1)?.action
    expect(offered?.name).toBe(name)
    offered?.run()
    await settled()
  }
  expect(commands).toEqual(['undo.undo', 'undo.redo', 'undo.undo'])
})

test('an edit made since is not undone by doing another again', async () => {
  const { bridge, undone, commands } = setUp()
  await undo(bridge, 'w', 'undo')
  const offered = toasts.list.at(-1)?.action
  undone.length = 0
  offered?.run()
  await settled()
  expect(commands).toEqual(['undo.undo'])
  expect(said()).toContain('You’ve made other changes since. Redo step by step with Ctrl Shift Z.')
})

test('the button of an edit takes that edit back', async () => {
  const { bridge, commands } = setUp()
  const action = undoAction(bridge, 'w', { step: 'Delete PORT' })
  action?.run()
  await settled()
  expect(commands).toEqual(['undo.undo'])
})

test('the button of an edit never takes back a later one', async () => {
  const { bridge, steps, commands } = setUp()
  const action = undoAction(bridge, 'w', { step: 'Delete PORT' })
  steps.push('Rename HOST')
  action?.run()
  await settled()
  expect(commands).toEqual([])
  expect(said()).toEqual([expect.stringContaining('made other changes since')])
})

const next = (undo: string) => ({ undo, redo: null, steps: { undo, redo: null } })

test('the button of an edit goes once a later one came over it', async () => {
  const { bridge, steps } = setUp()
  toasts.say('Deleted PORT', 'plain', undoAction(bridge, 'w', { step: 'Delete PORT' }))
  toasts.keepSteps(nextSteps(next('Delete PORT')))
  expect(toasts.list.at(-1)?.action?.name).toBe('Undo')
  steps.push('Rename HOST')
  toasts.keepSteps(nextSteps(next('Rename HOST')))
  expect(toasts.list).toMatchObject([{ text: 'Deleted PORT', action: null }])
})

test('a command that made no step of undo has no button', () => {
  expect(undoAction(setUp().bridge, 'w', {})).toBeNull()
})

test('one thing is said at a time, and a failure stays above it', () => {
  const action = { name: 'Undo', run: () => {} }
  toasts.say('Deleted A', 'plain', action)
  toasts.say('Refused', 'bad')
  toasts.say('Imported', 'good')
  toasts.say('Deleted B', 'plain', action)
  expect(said()).toEqual(['Refused', 'Deleted B'])
})
