// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import KeysForm from '../../../src/features/start/KeysForm.svelte'
import { mounted, settled, type } from '../support/mounted.ts'

const setUp = () => {
  const bridge: Bridge = {
    query: () => Promise.resolve({ ok: true, value: null } as never),
    command: () => Promise.resolve({ ok: true, value: null } as never),
    onPush: () => () => {},
  }
  const root = mounted(KeysForm, { keychain: 'absent', ondone: vi.fn() } as never, bridge)
  const [first, again] = root.querySelectorAll<HTMLInputElement>('input[type=password]')
  if (first === undefined || again === undefined) throw new Error('a passphrase is typed twice')
  const enter = async (passphrase: string) => {
    type(first, passphrase)
    root.querySelector('form')?.requestSubmit()
    await settled()
  }
  return { root, enter, again, fields: [first, again] as const }
}

test('a passphrase is counted as the vault counts it: what looks like four characters is four', async () => {
  const { root, enter, again } = setUp()
  await enter('🦊'.repeat(4))
  expect(root.textContent).toContain('Use at least 8 characters')
  expect(document.activeElement).not.toBe(again)
})

test('one that is long enough is asked for a second time', async () => {
  const { root, enter, again } = setUp()
  await enter('🦊'.repeat(8))
  expect(root.textContent).not.toContain('Use at least 8 characters')
  expect(document.activeElement).toBe(again)
})

test.each([
  { what: 'the first of a pair that is too short', first: 'short', second: 'other', says: 'Use at least 8 characters', isFirst: true },
  { what: 'the second of a pair that differs', first: 'long enough', second: 'another one', says: 'don’t match', isFirst: false },
])('the focus goes to the field that is refused, its text selected: $what', async ({ first, second, says, isFirst }) => {
  const { root, fields } = setUp()
  const [passphrase, again] = fields
  type(passphrase, first)
  type(again, second)
  const typedIn = isFirst ? again : passphrase
  typedIn.focus()
  root.querySelector('form')?.requestSubmit()
  await settled()
  expect(root.textContent).toContain(says)
  const refused = isFirst ? passphrase : again
  expect(document.activeElement).toBe(refused)
  expect([refused.selectionStart, refused.selectionEnd]).toEqual([0, refused.value.length])
})
