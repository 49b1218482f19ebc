// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { flushSync, mount, unmount } from 'svelte'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import TextDialog from '../../../src/features/text-mode/TextDialog.svelte'
import { draftsOf } from '../../../src/features/variables/drafts.svelte.ts'
import { settled } from '../support/mounted.ts'
import WithBridge from '../support/WithBridge.svelte'

const setUp = () => {
  const asked: string[] = []
  const bridge: Bridge = {
    query: (name) => {
      asked.push(name)
      if (name === 'import.preview') return Promise.resolve({ ok: true, value: { lines: [], rev: 0, invalid: 0 } } as never)
      return Promise.resolve({ ok: true, value: { text: 'A=1\n', refused: [{ name: 'ODD', reason: 'Not writable.' }] } } as never)
    },
    command: () => Promise.resolve({ ok: true, value: null } as never),
    onPush: () => () => {},
  }
  const open = () => {
    const onclose = vi.fn()
    const props = { workspaceId: 'w', environmentId: 'e', drafts: draftsOf('text-e'), where: 'Shop / Production', onclose }
    const app = mount(WithBridge, { target: document.body, props: { bridge, component: TextDialog, props } as never })
    flushSync()
    return { onclose, gone: () => unmount(app) }
  }
  return { asked, open }
}

test('a text is read once, and what was typed in it outlives the screen, as when the keys are locked', async () => {
  const { asked, open } = setUp()
  const first = open()
  await settled()
  expect(draftsOf('text-e').text).toEqual({ environmentId: 'e', base: 'A=1\n', text: 'A=1\n', keepNames: ['ODD'] })
  const draft = draftsOf('text-e').text
  if (draft !== null) draft.text = 'A=2\n'
  await first.gone()

  const again = open()
  await settled()
  expect(asked.filter((name) => name === 'text.read')).toHaveLength(1)
  expect(draftsOf('text-e').text?.text).toBe('A=2\n')
  await again.gone()
})
