import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import ConnectForm from '../../../src/features/start/ConnectForm.svelte'
import { namedField, mounted, settled, type } from '../support/mounted.ts'

const setUp = () => {
  const asked: { baseUrl: string; answer: (value: unknown) => void }[] = []
  const connected: Record<string, unknown>[] = []
  const moved: Record<string, unknown>[] = []
  const supplied: Record<string, unknown>[] = []
  const done: unknown[] = []
  const bridge = {
    query: () => Promise.reject(new Error('no query is expected')),
    command: (name: string, args: { baseUrl: string }) => {
      if (name === 'workspaces.connect') {
        connected.push(args)
        return Promise.resolve({ ok: true, value: { workspaceId: 'w', recoveryKey: null } })
      }
      if (name === 'workspaces.move') {
        moved.push(args)
        return Promise.resolve({ ok: true, value: null })
      }
      if (name === 'workspaces.supply-keys') {
        supplied.push(args)
        return Promise.resolve({ ok: true, value: null })
      }
      return new Promise((resolve) => asked.push({ baseUrl: args.baseUrl, answer: resolve }))
    },
    onPush: () => () => undefined,
  } as unknown as Bridge
  const draft = $state({ baseUrl: '', apiKey: '' })
  const props = { draft, ondone: (made: unknown) => void done.push(made), onkeys: () => undefined }
  const root = mounted(ConnectForm as never, props as never, bridge)
  const submit = async () => {
    root.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    await settled()
  }
  return { root, asked, connected, moved, supplied, done, submit }
}

test('a workspace found at an address that was typed over meanwhile is not shown, and the new address is looked at first', async () => {
  const { root, asked, connected, submit } = setUp()
  type(namedField(root, 'Service address'), 'https://sandbox.example.com')
  type(namedField(root, 'API key'), 'key')
  await submit()
  expect(asked.map(({ baseUrl }) => baseUrl)).toEqual(['https://sandbox.example.com'])
  // It takes long. The user sees that it is the wrong address, and types the right one.
  type(namedField(root, 'Service address'), 'https://config.example.com')
  asked[0]?.answer({ ok: true, value: { name: 'Sandbox', hasValues: false, isUnused: true, known: null } })
  await settled()
  const isFoundThere = root.textContent?.includes('Sandbox')
  // Enter, in the field of the address: the user means to look there.
  await submit()
  expect({ isFoundThere, connected }).toEqual({ isFoundThere: false, connected: [] })
  expect(asked.map(({ baseUrl }) => baseUrl)).toEqual(['https://sandbox.example.com', 'https://config.example.com'])
})

test('an API key that was typed over while an earlier one was refused is not called refused', async () => {
  const { root, asked, submit } = setUp()
  type(namedField(root, 'Service address'), 'https://config.example.com')
  type(namedField(root, 'API key'), 'an old key')
  await submit()
  type(namedField(root, 'API key'), 'the right key')
  asked[0]?.answer({ ok: false, error: { kind: 'unauthorized', message: 'The service doesn’t accept this API key.' } })
  await settled()
  flushSync()
  expect(root.textContent).not.toContain('doesn’t accept this API key')
})

const findKnown = async (baseUrl: string | null, isHere = false) => {
  const form = setUp()
  type(namedField(form.root, 'Service address'), 'https://new.example.com')
  type(namedField(form.root, 'API key'), 'key')
  await form.submit()
  const known = { workspaceId: 'here', baseUrl, isHere }
  form.asked[0]?.answer({ ok: true, value: { name: 'Team', hasValues: true, isUnused: false, known } })
  await settled()
  const choose = async (value: string) => {
    form.root.querySelector<HTMLInputElement>(`input[name="way"][value="${value}"]`)?.click()
    await settled()
  }
  return { ...form, choose }
}

test('a workspace that is on this computer with another address moves to the new one only if its user says so', async () => {
  const { root, connected, moved, done, submit, choose } = await findKnown('https://old.example.com')
  expect(root.textContent).toContain('https://old.example.com')
  expect(root.textContent).not.toContain('Workspace key')
  await submit()
  expect({ moved, connected }).toEqual({ moved: [], connected: [] })
  expect(root.textContent).toContain('Choose whether to move the workspace.')
  await choose('move')
  await submit()
  expect(moved).toEqual([{ workspaceId: 'here', baseUrl: 'https://new.example.com', apiKey: 'key', allowInsecure: false }])
  expect(connected).toEqual([])
  expect(done).toEqual([{ workspaceId: 'here', recoveryKey: null }])
})

test('a second service with the same workspace is connected to as any other, with its workspace key', async () => {
  const { root, connected, moved, submit, choose } = await findKnown(null)
  await choose('separate')
  type(namedField(root, 'Workspace key'), 'the key')
  await submit()
  expect(moved).toEqual([])
  expect(connected).toMatchObject([{ baseUrl: 'https://new.example.com', workspaceKey: 'the key', confirmNoValues: false }])
})

test('of a workspace that is connected at this address already only the API key is replaced, and no workspace key is asked for', async () => {
  const { root, connected, moved, supplied, done, submit } = await findKnown('https://new.example.com', true)
  expect(root.textContent).toContain('It’s already on this computer.')
  expect(root.textContent).not.toContain('Workspace key')
  expect(root.querySelector('input[type="radio"]')).toBeNull()
  await submit()
  expect({ supplied, moved, connected }).toEqual({ supplied: [{ workspaceId: 'here', apiKey: 'key' }], moved: [], connected: [] })
  expect(done).toEqual([{ workspaceId: 'here', recoveryKey: null }])
})
