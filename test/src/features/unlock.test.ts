import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import Unlock from '../../../src/features/unlock/Unlock.svelte'
import { mounted, settled, type } from '../support/mounted.ts'

const buttonOf = (root: HTMLElement, name: string): HTMLElement | undefined =>
  [...root.querySelectorAll('button')].find((button) => button.textContent?.trim() === name)

/** The fields of secrets, in order. */
const secretsOf = (root: HTMLElement): HTMLInputElement[] => [...root.querySelectorAll<HTMLInputElement>('input[type="password"]')]

/** Types the same into every field of a secret, and submits. */
const submit = async (root: HTMLElement, secret: string) => {
  for (const field of secretsOf(root)) type(field, secret)
  root.querySelector('form')?.requestSubmit()
  await settled()
}

/** The screen of a locked vault, whose unlock fails by `error`. */
const opened = async (error: { kind: string; message: string }) => {
  const command = vi.fn(async (name: string, _args: unknown) => (name === 'keys.unlock' ? { ok: false, error } : { ok: true, value: null }))
  const bridge = { command, query: async () => ({ ok: true, value: [] }), onPush: () => () => {} } as unknown as Bridge
  const keys = { state: 'locked', store: 'vault', keychain: 'locked', by: null, unlock: 'passphrase' }
  const root = mounted(Unlock, { keys } as never, bridge)
  await submit(root, 'not of this vault')
  return { root, command }
}

test('a vault that cannot be opened any more is replaced by a new one, under a passphrase that is typed twice', async () => {
  const { root, command } = await opened({ kind: 'vault-damaged', message: 'The vault file is damaged.' })
  expect(root.textContent).toContain('The vault file is damaged.')
  buttonOf(root, 'Create a new vault…')?.click()
  await settled()
  expect(secretsOf(root)).toHaveLength(2)
  await submit(root, 'another passphrase')
  expect(command).toHaveBeenLastCalledWith('keys.choose', { store: 'vault', passphrase: 'another passphrase' })
})

test.each([
  { what: 'is tried next once it is submitted', submits: true, tried: ['wrong', 'right'] },
  { what: 'is called wrong by nobody', submits: false, tried: ['wrong'] },
])('a passphrase that is typed while another one is tried $what', async ({ submits, tried }) => {
  const answers: ((isRight: boolean) => void)[] = []
  const asked: unknown[] = []
  const command = (_: string, { passphrase }: { passphrase?: string }) => {
    asked.push(passphrase)
    const error = { kind: 'passphrase-wrong', message: 'Wrong passphrase. Try again.' }
    return new Promise((resolve) => answers.push((isRight) => resolve(isRight ? { ok: true, value: null } : { ok: false, error })))
  }
  const bridge = { command, query: async () => ({ ok: true, value: [] }), onPush: () => () => {} } as unknown as Bridge
  const keys = { state: 'locked', store: 'vault', keychain: 'locked', by: null, unlock: 'passphrase' }
  const root = mounted(Unlock, { keys } as never, bridge)
  await submit(root, 'wrong')
  expect(buttonOf(root, 'Unlocking…')).toBeDefined()
  for (const field of secretsOf(root)) type(field, 'right')
  if (submits) buttonOf(root, 'Unlock')?.click()
  answers[0]?.(false)
  await settled()
  expect(asked).toEqual(tried)
  expect(root.textContent).not.toContain('Wrong passphrase.')
})

test('a wrong passphrase is no reason for a new vault', async () => {
  const { root } = await opened({ kind: 'passphrase-wrong', message: 'Wrong passphrase. Try again.' })
  expect(root.textContent).toContain('Wrong passphrase.')
  expect(buttonOf(root, 'Create a new vault…')).toBeUndefined()
})
