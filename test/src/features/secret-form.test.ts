import { expect, test } from 'vitest'
import { flushSync } from 'svelte'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import ReplaceApiKey from '../../../src/features/settings/ReplaceApiKey.svelte'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { mounted, namedField, settled, type } from '../support/mounted.ts'

const workspace = { id: 'w', name: 'Fernweh', kind: 'remote', baseUrl: 'https://config.example.com', needs: [], problem: null }

/** The form with a first key that the service has not answered yet. */
const setUp = async () => {
  const answers: ((result: unknown) => void)[] = []
  const bridge = {
    query: () => Promise.reject(new Error('no query is expected')),
    command: () => new Promise((resolve) => answers.push(resolve)),
    onPush: () => () => undefined,
  } as unknown as Bridge
  const root = mounted(ReplaceApiKey as never, { workspace } as never, bridge)
  const button = (words: string) => {
    const found = [...root.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === words)
    if (found === undefined) throw new Error(`no button says ${words}`)
    return found
  }
  button('Replace API key…').click()
  flushSync()
  const field = () => namedField(root, 'New API key')
  type(field(), 'key-one')
  root.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  await settled()
  const answer = async (result: unknown) => {
    answers[0]?.(result)
    await settled()
  }
  return { root, button, field, answer }
}

test('a key that is being checked can’t be cancelled: the service may have taken it', async () => {
  const { button, answer } = await setUp()
  expect(button('Cancel').disabled).toBe(true)
  await answer({ ok: false, error: { kind: 'timeout', message: 'No answer.' } })
  expect(button('Cancel').disabled).toBe(false)
})

test.each([
  ['is taken', { ok: true, value: null }, ['Replaced the API key of Fernweh']],
  ['is refused', { ok: false, error: { kind: 'unauthorized', message: 'Refused.' } }, []],
])('a key typed while an earlier one was checked stays when that one %s', async (_, result, said) => {
  const { root, field, answer } = await setUp()
  type(field(), 'key-two')
  await answer(result)
  expect(field().value).toBe('key-two')
  expect(root.textContent).not.toContain('Refused.')
  expect(toasts.list.map(({ text }) => text)).toEqual(said)
})
