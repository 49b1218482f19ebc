import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import AskSystem from '../../../src/features/settings/AskSystem.svelte'
import Unlock from '../../../src/features/unlock/Unlock.svelte'
import { labelled, mounted, settled, type } from '../support/mounted.ts'

/** An application whose commands answer, one after the other, as `answers` say. */
const bridgeOf = (value: unknown, answers: object[]) => {
  const sent: [string, unknown][] = []
  const bridge = {
    query: async (name: string) => ({ ok: true, value: name === 'workspaces.list' ? [] : value }),
    command: (name: string, args: object) => {
      sent.push([name, args])
      return Promise.resolve(answers.shift())
    },
    onPush: () => () => undefined,
  } as unknown as Bridge
  return { bridge, sent }
}
const locked = { state: 'locked', store: 'os', keychain: 'available', unlock: 'system', by: 'user' } as const
const unavailable = { ok: false, error: { kind: 'unsupported', message: 'This system can’t ask you right now.' } }

test('a locked Holdfast asks the system, and offers another way only where that failed', async () => {
  const { bridge, sent } = bridgeOf(null, [unavailable, { ok: true, value: null }])
  const screen = mounted(Unlock, { keys: locked, dataDir: '/home/ada/holdfast' }, bridge)
  const submit = async () => {
    screen.querySelector('form')?.requestSubmit()
    await settled()
  }
  expect(screen.textContent).toContain('You locked Holdfast. Confirm that it’s you')
  expect(screen.querySelector('input')).toBeNull()
  await submit()
  expect(screen.textContent).toContain(unavailable.error.message)
  const field = screen.querySelector('input')
  if (field === null) throw new Error('no other way is offered')
  expect(field.type).toBe('password')
  type(field, '123456')
  await submit()
  expect(sent).toEqual([
    ['keys.unlock', {}],
    ['keys.unlock', { pin: '123456' }],
  ])
})

test.each([
  ['windows-hello', 'Windows Hello'],
  ['polkit', 'System password'],
  ['touch-id', 'Touch ID'],
] as const)('%s is a switch, which says why it stays off', async (kind, name) => {
  const { bridge, sent } = bridgeOf({ kind, isOn: false }, [unavailable])
  const screen = mounted(AskSystem, {}, bridge)
  await settled()
  labelled(screen, name).click()
  await settled()
  expect(sent).toEqual([['keys.use-system', { on: true }]])
  expect(screen.textContent).toContain(unavailable.error.message)
})

test('a system that cannot be asked is not offered', async () => {
  const screen = mounted(AskSystem, {}, bridgeOf(null, []).bridge)
  await settled()
  expect(screen.textContent).toBe('')
})
