// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { flushSync, mount, unmount } from 'svelte'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Rename } from '../../../electron/bridge/rows.ts'
import TextDialog from '../../../src/features/text-mode/TextDialog.svelte'
import { access } from '../../../src/lib/access.svelte.ts'
import { settings } from '../../../src/lib/settings.svelte.ts'
import { draftsOf } from '../../../src/features/variables/drafts.svelte.ts'
import { settled } from '../support/mounted.ts'
import WithBridge from '../support/WithBridge.svelte'

/** `placeId`: whose drafts they are. `secrets`: how many variables of the environment are secret. */
const setUp = (placeId: string, secrets: number) => {
  const asked: string[] = []
  let lines: object[] = []
  const listeners = new Set<(push: never) => void>()
  const bridge: Bridge = {
    query: (name) => {
      asked.push(name)
      if (name === 'import.preview') return Promise.resolve({ ok: true, value: { lines, rev: 0, invalid: 0, renames: [] } } as never)
      if (name === 'variables.page') return Promise.resolve({ ok: true, value: { total: secrets, rows: [], offset: 0 } } as never)
      if (name === 'variables.values') return Promise.resolve({ ok: true, value: [] } as never)
      return Promise.resolve({ ok: true, value: { text: 'A=1\n', refused: [{ name: 'ODD', reason: 'Not writable.' }] } } as never)
    },
    command: () => Promise.resolve({ ok: true, value: null } as never),
    onPush: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const open = () => {
    const onclose = vi.fn()
    const props = { workspaceId: 'w', environmentId: 'e', drafts: draftsOf(placeId), where: 'Shop / Production', onclose }
    const app = mount(WithBridge, { target: document.body, props: { bridge, component: TextDialog, props } as never })
    flushSync()
    return { onclose, gone: () => unmount(app) }
  }
  /** Somebody else adds a secret. */
  const addSecret = () => {
    lines = [{ line: 0, name: 'API_TOKEN', status: 'removed', isSecret: true, value: null, id: 'v', reason: null, warnings: [] }]
    for (const listener of listeners) listener({ workspaceId: 'w', tables: ['variables'] } as never)
  }
  return { asked, open, addSecret }
}

const isShown = () => document.querySelector('.code') !== null

test('a text is read once, and what was typed in it outlives the screen, as when the keys are locked', async () => {
  const { asked, open } = setUp('text-e', 0)
  const first = open()
  await settled()
  expect(draftsOf('text-e').textOf('e')).toEqual({ environmentId: 'e', base: 'A=1\n', text: 'A=1\n', keepNames: ['ODD'], isPlain: true })
  const draft = draftsOf('text-e').textOf('e')
  if (draft !== null) draft.text = 'A=2\n'
  await first.gone()

  const again = open()
  await settled()
  expect(asked.filter((name) => name === 'text.read')).toHaveLength(1)
  expect(draftsOf('text-e').textOf('e')?.text).toBe('A=2\n')
  await again.gone()
})

test('a secret that others add takes nothing from whoever types in a text that had none', async () => {
  const { open, addSecret } = setUp('text-plain', 0)
  const { gone } = open()
  await settled()
  await vi.waitFor(() => expect(isShown()).toBe(true))
  addSecret()
  await vi.waitFor(() => expect(document.body.textContent).toContain('API_TOKEN'))
  expect(isShown()).toBe(true)
  await gone()
})

test('a text with secrets is not even drawn before it is asked for', async () => {
  const { open } = setUp('text-secret', 1)
  const { gone } = open()
  await settled()
  expect(isShown()).toBe(false)
  const button = [...document.querySelectorAll('button')].find((one) => one.textContent?.includes('Show text'))
  button?.click()
  flushSync()
  await vi.waitFor(() => expect(isShown()).toBe(true))
  await gone()
})

test('with all values masked, a text without secrets is asked for as well', async () => {
  settings.adopt({ ...settings.row, maskAll: true })
  const { open } = setUp('text-masked', 0)
  const { gone } = open()
  await settled()
  expect(isShown()).toBe(false)
  expect(document.body.textContent).toContain('All values are masked')
  settings.adopt({ ...settings.row, maskAll: false })
  await gone()
})

/** Two environments of a comparison, whose texts come when they are told to. */
const setUpTwo = (placeId: string) => {
  const { promise: production, resolve: sendProduction } = Promise.withResolvers<unknown>()
  const answerOf = (text: string) => ({ ok: true, value: { text, refused: [], rev: 1 } })
  const bridge = {
    query: async (name: string, { environmentId }: { environmentId: string }) => {
      if (name === 'import.preview') return { ok: true, value: { lines: [], rev: 0, invalid: 0, renames: [] } }
      if (name === 'variables.page') return { ok: true, value: { total: 0, rows: [], offset: 0 } }
      return environmentId === 'production' ? production : answerOf('OF=staging\n')
    },
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => {},
  } as unknown as Bridge
  const open = (environmentId: string) => {
    const props = { workspaceId: 'w', environmentId, drafts: draftsOf(placeId), where: `Shop / ${environmentId}`, onclose: () => {} }
    const app = mount(WithBridge, { target: document.body, props: { bridge, component: TextDialog, props } as never })
    flushSync()
    return { close: () => unmount(app) }
  }
  const answerProduction = async () => {
    sendProduction(answerOf('OF=production\n'))
    await settled()
  }
  return { open, answerProduction }
}

test('a text that is read after its dialog was closed is no draft', async () => {
  const { open, answerProduction } = setUpTwo('text-late')
  await open('production').close()
  await answerProduction()
  expect(draftsOf('text-late').textOf('production')).toBeNull()
})

test('a text that is read late leaves the dialog of another environment alone', async () => {
  const { open, answerProduction } = setUpTwo('text-other')
  await open('production').close()
  const staging = open('staging')
  await settled()
  await answerProduction()
  expect(draftsOf('text-other').texts).toMatchObject([{ environmentId: 'staging', text: 'OF=staging\n' }])
  await staging.close()
})

/**
 * A text typed over one of three lines, of which `secret` are secret; others have deleted those `elsewhere`. A new name with TOKEN looks like
 * that of a secret.
 */
const setUpTyped = (
  placeId: string,
  text: string,
  { secret, elsewhere = [], renames = [] }: { secret: readonly string[]; elsewhere?: readonly string[]; renames?: readonly Rename[] },
) => {
  const base = 'ALPHA=1\nBETA=2\nGAMMA=3\n'
  const sent: Record<string, unknown>[] = []
  const linesOf = (text: string) => {
    const rows = text.trim().split('\n')
    const lineOf = { value: null as string | null, id: null, reason: null, warnings: [], type: null }
    const lines = rows.map((row, at) => {
      const [name = '', value = ''] = row.split('=')
      // Not a name: the line can't be read.
      if (name.includes(' ')) return { ...lineOf, line: at + 1, name: '', status: 'invalid', isSecret: false, reason: 'Not a name.' }
      const isThere = base.includes(`${name}=`) && !elsewhere.includes(name)
      const status = !isThere ? 'added' : base.includes(row) ? 'unchanged' : 'changed'
      return { ...lineOf, line: at + 1, name, status, isSecret: isThere ? secret.includes(name) : name.includes('TOKEN'), value }
    })
    const removed = ['ALPHA', 'BETA', 'GAMMA'].filter((name) => !elsewhere.includes(name) && !text.includes(`${name}=`))
    return [...lines, ...removed.map((name) => ({ ...lineOf, line: 0, name, status: 'removed', isSecret: secret.includes(name) }))]
  }
  const bridge = {
    query: async (name: string, { text }: { text: string }) => {
      if (name === 'import.preview') return { ok: true, value: { lines: linesOf(text), rev: 1, invalid: 0, renames } }
      return { ok: true, value: [] }
    },
    command: async (name: string, args: Record<string, unknown>) => {
      sent.push({ name, ...args })
      return { ok: true, value: { added: 1, changed: 0, renamed: 0, unchanged: 0, removed: 0 } }
    },
    onPush: () => () => {},
  } as unknown as Bridge
  const drafts = draftsOf(placeId)
  drafts.texts = [{ environmentId: 'e', base, text, rev: 1, keepNames: [], isPlain: false }]
  const open = async () => {
    const props = { workspaceId: 'w', environmentId: 'e', drafts, where: 'Shop / Production', onclose: () => {} }
    const app = mount(WithBridge, { target: document.body, props: { bridge, component: TextDialog, props } as never })
    await settled()
    return () => unmount(app)
  }
  /** Presses the button that begins with these words, once it can be pressed. */
  const click = async (words: string) => {
    await vi.waitFor(() => {
      const button = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim().startsWith(words) && !one.disabled)
      if (button === undefined) throw new Error(`no button “${words}”`)
      button.click()
    })
    await settled()
  }
  return { open, click, sent }
}

const shownLine = (name: string) => document.querySelector(`[data-testid="text-change"][data-name="${name}"]`)
const press = (button: HTMLElement | null | undefined) => {
  button?.click()
  flushSync()
}

test('a line whose name and value were both edited is a rename: it stays secret, unless the review says otherwise', async () => {
  const { open, click, sent } = setUpTyped('text-renamed', 'ALPHA=1\nNEW=4\nGAMMA=3\n', { secret: ['BETA'] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await vi.waitFor(() => expect(shownLine('NEW')?.textContent).toMatch(/BETA\s*to\s*NEW/))
  expect(shownLine('BETA')).toBeNull()
  expect(shownLine('NEW')?.querySelector('[role="switch"]')?.getAttribute('aria-checked')).toBe('true')
  press(shownLine('NEW')?.querySelector<HTMLElement>('[role="switch"]'))
  expect(shownLine('NEW')?.textContent).toContain('no longer secret')
  await click('Save 1 change')
  const renames = [{ from: 'BETA', to: 'NEW' }]
  expect(sent).toEqual([expect.objectContaining({ names: ['NEW'], renames, secretNames: [{ name: 'NEW', isSecret: false }] })])
  await close()
})

test('a line that the review shows as secret is saved as one, even if others rename or delete its variable at that moment', async () => {
  const { open, click, sent } = setUpTyped('text-raced', 'ALPHA=1\nNEW=4\nGAMMA=3\nMY_TOKEN=5\n', { secret: ['BETA'] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await vi.waitFor(() => expect(shownLine('NEW')?.textContent).toMatch(/BETA\s*to\s*NEW/))
  await click('Save 2 changes')
  const secretNames = ['NEW', 'MY_TOKEN'].map((name) => ({ name, isSecret: true }))
  expect(sent).toEqual([expect.objectContaining({ renames: [{ from: 'BETA', to: 'NEW' }], secretNames })])
  await close()
})

test('a rename to the name of a secret makes a secret, unless the review says otherwise', async () => {
  const { open, click, sent } = setUpTyped('text-token', 'ALPHA=1\nAPI_TOKEN=4\nGAMMA=3\n', { secret: [] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await vi.waitFor(() => expect(shownLine('API_TOKEN')?.textContent).toMatch(/BETA\s*to\s*API_TOKEN.*becomes secret/s))
  await click('Save 1 change')
  expect(sent).toEqual([expect.objectContaining({ secretNames: [{ name: 'API_TOKEN', isSecret: true }] })])
  await close()
})

test('a line that can’t be saved deletes nothing in its place, and the review says so', async () => {
  const { open, click, sent } = setUpTyped('text-kept', 'ALPHA=2\nMY NEW=4\nGAMMA=3\n', { secret: [] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await vi.waitFor(() => expect(shownLine('BETA')?.textContent).toContain('Kept'))
  expect(shownLine('BETA')?.textContent).toContain('Fix that line first.')
  await click('Save 1 change')
  expect(sent).toEqual([expect.objectContaining({ names: ['ALPHA'] })])
  await close()
})

test('a rename can be made a deletion and an unrelated line, which is as secret as its name says, and back', async () => {
  const { open, click, sent } = setUpTyped('text-apart', 'ALPHA=1\nNEW=4\nGAMMA=3\n', { secret: ['BETA'] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await click('Delete and add instead')
  expect(shownLine('BETA')?.getAttribute('data-status')).toBe('removed')
  expect(shownLine('NEW')?.querySelector('[role="switch"]')?.getAttribute('aria-checked')).toBe('false')
  await click('Rename BETA instead')
  expect(shownLine('BETA')).toBeNull()
  await click('Delete and add instead')
  await click('Save 2 changes')
  expect(sent).toEqual([expect.objectContaining({ names: ['NEW', 'BETA'], renames: [], secretNames: [] })])
  await close()
})

test('a rename that leaves the value as it is says so', async () => {
  const renames = [{ from: 'ALPHA', to: 'NEW' }]
  const { open, click, sent } = setUpTyped('text-equal', 'NEW=1\nBETA=2\nGAMMA=3\n', { secret: [], renames })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await vi.waitFor(() => expect(shownLine('NEW')?.textContent).toContain('Same value'))
  await click('Save')
  expect(sent).toEqual([expect.objectContaining({ names: ['NEW'], renames })])
  await close()
})

test('a rename to a line that has the value of another removed one shows both values', async () => {
  const { open, click } = setUpTyped('text-other-value', 'BETA=2\nNEW=1\n', { secret: [], renames: [{ from: 'ALPHA', to: 'NEW' }] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await vi.waitFor(() => expect(shownLine('NEW')?.textContent).toMatch(/GAMMA\s*to\s*NEW\s*3\s*1/))
  await close()
})

test.each([
  ['a deleted secret lends nothing to an unrelated line', 'BETA=2\nGAMMA=3\nNEW=4\n', { secret: ['ALPHA'] }, []],
  [
    'what others deleted may have been a secret',
    'ALPHA=1\nNEW=4\nGAMMA=3\n',
    { secret: ['ALPHA'], elsewhere: ['BETA'] },
    [{ name: 'NEW', isSecret: true }],
  ],
])('of a line that is new %s', async (what, text, environment, secretNames) => {
  const { open, click, sent } = setUpTyped(`text-new-${what}`, text, environment)
  const close = await open()
  await click('Show text')
  await click('Review changes')
  await click('Save')
  expect(sent).toEqual([expect.objectContaining({ renames: [], secretNames })])
  await close()
})

test('a secret that was renamed and edited stays one though the line next to it was moved, unless the review says otherwise', async () => {
  const { open, click, sent } = setUpTyped('text-moved', 'ALPHA=1\nGAMMA=3\nNEW=4\n', { secret: ['BETA'] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  const line = () => document.querySelector('[data-testid="text-change"][data-name="NEW"]')
  await vi.waitFor(() => expect(line()?.textContent).toContain('stays secret'))
  expect(line()?.querySelector('[role="switch"]')?.getAttribute('aria-checked')).toBe('true')
  line()?.querySelector<HTMLElement>('[role="switch"]')?.click()
  flushSync()
  expect(line()?.textContent).toContain('no longer secret')
  await click('Save')
  expect(sent).toEqual([expect.objectContaining({ name: 'import.apply', secretNames: [{ name: 'NEW', isSecret: false }] })])
  await close()
})

test('a review says why its changes can’t be saved any more, once the user may not change the environment', async () => {
  const { open, click, sent } = setUpTyped('text-refused', 'ALPHA=1\nBETA=new\nGAMMA=3\n', { secret: ['BETA'] })
  const close = await open()
  await click('Show text')
  await click('Review changes')
  access.learn({ isViewOnly: true, refusals: { 'import.apply': 'Your role can’t change variables.' }, keepsDeleted: false })
  flushSync()
  await vi.waitFor(() => {
    const save = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim().startsWith('Save'))
    expect(save?.getAttribute('aria-description')).toBe('Your role can’t change variables.')
    save?.click()
  })
  await settled()
  expect(sent).toEqual([])
  access.learn(null)
  await close()
})

test('a review that a lock ends is shown again with the text', async () => {
  const { open, click } = setUpTyped('text-reviewed', 'ALPHA=1\nBETA=new\nGAMMA=3\n', { secret: ['BETA'] })
  const lock = await open()
  await click('Show text')
  await click('Review changes')
  await lock()
  const close = await open()
  expect(document.body.textContent).not.toContain('new')
  const review = [...document.querySelectorAll('button')].find((one) => one.textContent?.trim() === 'Review changes')
  expect(review?.disabled).toBe(true)
  await click('Show text')
  await vi.waitFor(() => expect(document.querySelector('[data-testid="text-change"]')?.textContent).toContain('BETA'))
  await click('Back to the text')
  await vi.waitFor(() => expect(isShown()).toBe(true))
  await close()
})
