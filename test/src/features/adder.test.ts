// @vitest-environment happy-dom
import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import type { EditedVariable } from '../../../electron/bridge/rows.ts'
import Adder from '../../../src/features/variables/Adder.svelte'
import { Drafts } from '../../../src/features/variables/drafts.svelte.ts'
import { fieldOf, labelled, mounted, press, settled, type } from '../support/mounted.ts'

/** `holder`: the variable that others create under the name that is typed, at the first push. */
const setUp = (refusal: AppError | string | null = null, holder: EditedVariable | null = null) => {
  const listeners: ((push: Push) => void)[] = []
  let asked = 0
  const created: unknown[] = []
  const imported: string[] = []
  const bridge: Bridge = {
    // To this application, whatever is called a token is a secret.
    query: (query, args) => {
      if (query === 'variables.is-taken') {
        asked += 1
        const by = holder !== null && asked > 1 ? 'theirs' : null
        const looksSecret = 'name' in args && args.name.includes('TOKEN')
        return Promise.resolve({ ok: true, value: { by, looksSecret } } as never)
      }
      if (query === 'variables.show') return Promise.resolve({ ok: true, value: holder } as never)
      if (query === 'references.suggest') return Promise.resolve({ ok: true, value: [] } as never)
      if (query === 'references.preview') {
        return Promise.resolve({ ok: true, value: { state: 'shown', value: 'https://shop', hasReferences: true, problems: [] } } as never)
      }
      return Promise.reject(new Error(`no ${query} is expected`))
    },
    command: (_, args) => {
      created.push(args)
      const isSecret = 'isSecret' in args && (args.isSecret ?? ('name' in args && args.name?.includes('TOKEN')))
      const error = typeof refusal === 'string' ? { kind: 'name-taken', message: refusal } : refusal
      return Promise.resolve((error === null ? { ok: true, value: { id: 'new', isSecret } } : { ok: false, error }) as never)
    },
    onPush: (listen) => {
      listeners.push(listen)
      return () => {}
    },
  }
  const refuse = (reason: string | null) => (refusal = reason)
  const drafts = new Drafts()
  const onadded = vi.fn()
  const root = mounted(
    Adder,
    { workspaceId: 'w', environmentId: 'e', drafts, onadded, onleave: vi.fn(), onimport: (text: string) => imported.push(text) } as never,
    bridge,
  )
  const name = fieldOf(root, 'New variable name')
  const value = fieldOf(root, 'New variable value')
  const secret = labelled(root, 'New variable is secret')
  const push = () => listeners.forEach((listen) => listen({ push: 'changed', workspaceId: 'w', tables: ['variables'] }))
  return { root, name, value, secret, drafts, created, imported, onadded, push, refuse }
}

test('Enter goes from the name to the value, and there makes the variable', async () => {
  const { name, value, created, onadded } = setUp()
  type(name, 'PORT')
  press(name, 'Enter')
  expect(document.activeElement).toBe(value)
  type(value, '3000')
  press(value, 'Enter')
  await settled()
  expect(created).toEqual([{ workspaceId: 'w', environmentId: 'e', name: 'PORT', value: '3000', type: 'string', isSecret: null }])
  expect(onadded).toHaveBeenCalledWith('new', 'PORT', false)
  expect([name.value, value.value]).toEqual(['', ''])
})

test('Shift with Enter is left to the value, for a line break', async () => {
  const { name, value, created } = setUp()
  type(name, 'CERT')
  press(value, 'Enter', { shiftKey: true })
  await settled()
  expect(created).toEqual([])
})

test('a refusal keeps everything that was typed and says why', async () => {
  const { root, name, value } = setUp('There is already a variable called PORT. Choose another name.')
  type(name, 'PORT')
  type(value, '3000\n3001')
  press(value, 'Enter')
  await settled()
  expect([name.value, value.value]).toEqual(['PORT', '3000\n3001'])
  expect(root.querySelector('[role="alert"]')?.textContent).toContain('already a variable called PORT')
})

test('keys pressed while an addition is being saved make the next one', async () => {
  const { name, value, created } = setUp()
  type(name, 'HOST')
  type(value, 'localhost')
  press(value, 'Enter')
  expect([name.value, value.value, document.activeElement]).toEqual(['', '', name])
  type(name, 'PORT')
  type(value, '3000')
  press(value, 'Enter')
  type(name, 'USER')
  await settled()
  expect(created).toMatchObject([
    { name: 'HOST', value: 'localhost' },
    { name: 'PORT', value: '3000' },
  ])
  expect(name.value).toBe('USER')
})

test('an addition that is refused after the next one was begun comes back once the line is empty', async () => {
  const { root, name, value, refuse } = setUp('There is already a variable called PORT. Choose another name.')
  type(name, 'PORT')
  type(value, '3000')
  press(value, 'Enter')
  type(name, 'HOST')
  await settled()
  expect(name.value).toBe('HOST')
  refuse(null)
  press(value, 'Enter')
  await settled()
  expect([name.value, value.value]).toEqual(['PORT', '3000'])
  expect(root.querySelector('[role="alert"]')?.textContent).toContain('already a variable called PORT')
})

const tooLarge: AppError = { kind: 'invalid-input', field: 'value', message: 'A value can have at most 512 KiB.' }

test('a refused value is said under the value, which gets the keyboard, until it is edited', async () => {
  const { root, name, value } = setUp(tooLarge)
  type(name, 'CERT')
  type(value, 'long')
  press(value, 'Enter')
  await settled()
  const alert = root.querySelector('[role="alert"]')
  expect(alert?.textContent).toBe(tooLarge.message)
  expect(value.closest('.value')?.contains(alert)).toBe(true)
  expect(document.activeElement).toBe(value)
  expect([name, value].map((field) => field.getAttribute('aria-invalid'))).toEqual([null, 'true'])
  type(value, 'short')
  expect(root.querySelector('[role="alert"]')).toBeNull()
})

test('a name that cannot be saved is refused before anything is sent', async () => {
  const { root, name, value, created } = setUp()
  type(name, 'a/b')
  press(value, 'Enter')
  await settled()
  expect(created).toEqual([])
  expect(root.querySelector('[role="alert"]')?.textContent).toContain('can’t contain')
})

test('a name that shells do not take is warned of, and can be added', async () => {
  const { root, name, value, created } = setUp()
  type(name, 'ODD.name-1')
  expect(root.textContent).toContain('Not a valid shell variable name')
  press(value, 'Enter')
  await settled()
  expect(created).toHaveLength(1)
})

test('the secret switch follows the guess for the name until somebody turns it', async () => {
  const { name, secret } = setUp()
  type(name, 'MY_TOKEN')
  await settled()
  expect(secret.getAttribute('aria-checked')).toBe('true')
  type(name, 'MY_T')
  await settled()
  expect(secret.getAttribute('aria-checked')).toBe('false')
  secret.click()
  type(name, 'PLAIN')
  await settled()
  expect(secret.getAttribute('aria-checked')).toBe('true')
})

test('unless the user chose, the application guesses the secrecy as it saves: the guess on the screen may be for a shorter name', async () => {
  const { name, value, created, onadded } = setUp()
  type(name, 'MY_TOKEN')
  press(value, 'Enter')
  await settled()
  expect(created).toEqual([expect.objectContaining({ isSecret: null })])
  expect(onadded).toHaveBeenCalledWith('new', 'MY_TOKEN', true)
})

test('what the user chose is saved', async () => {
  const { name, value, secret, created, onadded } = setUp()
  type(name, 'MY_TOKEN')
  await settled()
  secret.click()
  press(value, 'Enter')
  await settled()
  expect(created).toEqual([expect.objectContaining({ isSecret: false })])
  expect(onadded).toHaveBeenCalledWith('new', 'MY_TOKEN', false)
})

test.each([
  ['PORT=3000', ['PORT', '3000'], []],
  ['A=1\nB=2', ['', ''], ['A=1\nB=2']],
] as const)('pasting %j into the name fills %j or is an import', (text, fields, imports) => {
  const { name, value, imported } = setUp()
  const clipboardData = { getData: () => text }
  name.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }))
  return settled().then(() => {
    expect([name.value, value.value]).toEqual(fields)
    expect(imported).toEqual(imports)
  })
})

test('an empty value is called one once its name is typed, and not before', () => {
  const { root, name, value } = setUp()
  const note = () => root.querySelector('#adder-value-note')?.textContent
  value.focus()
  flushSync()
  expect(note()).toBeUndefined()
  name.focus()
  type(name, 'GREETING')
  expect(note()).toBeUndefined()
  press(name, 'Enter')
  expect(note()).toBe('The value will be empty.')
  type(value, 'hello')
  expect(note()).toBeUndefined()
})

test('a variable that others create under the name being typed is told at once, and replaced when that is asked for', async () => {
  const theirs: EditedVariable = { name: 'PORT', value: { state: 'shown', value: '1' }, updatedAt: null, updatedBy: 'Ada', rev: 7 }
  const { root, name, value, created, onadded, push } = setUp(null, theirs)
  type(name, 'PORT')
  type(value, '3000')
  await settled()
  push()
  const strip = () => root.querySelector('[data-testid="changed-since"]')?.textContent?.replaceAll(/\s+/g, ' ') ?? ''
  await vi.waitFor(() => expect(strip()).toContain('Ada added PORT here'))
  expect(strip()).toContain('Now 1')
  expect([name.value, value.value]).toEqual(['PORT', '3000'])
  expect(created).toEqual([])
  for (const button of root.querySelectorAll('button')) if (button.textContent?.includes('Replace its value')) button.click()
  await settled()
  expect(created).toEqual([{ workspaceId: 'w', id: 'theirs', seen: 7, value: '3000' }])
  expect(onadded).toHaveBeenCalledWith('theirs', 'PORT', false)
})

test('a value that is refused while others have the name is said next to what they did', async () => {
  const theirs: EditedVariable = { name: 'CERT', value: { state: 'shown', value: '1' }, updatedAt: null, updatedBy: 'Ada', rev: 7 }
  const { root, name, value, push } = setUp(tooLarge, theirs)
  type(name, 'CERT')
  type(value, 'long')
  await settled()
  push()
  await vi.waitFor(() => expect(root.querySelector('[data-testid="changed-since"]')).not.toBeNull())
  for (const button of root.querySelectorAll('button')) if (button.textContent?.includes('Replace its value')) button.click()
  await settled()
  expect(root.querySelector('.of-both [role="alert"]')?.textContent).toBe(tooLarge.message)
  expect(document.activeElement).toBe(value)
})

test('what a value comes to is shown in the cell of the value, and a note on the name in that of the name', async () => {
  const { root, name, value } = setUp()
  type(name, '9BAD')
  type(value, 'https://${HOST}')
  await settled()
  const resolved = root.querySelector('[data-testid="resolved"]')
  expect(resolved).not.toBeNull()
  expect(value.closest('.value')?.contains(resolved)).toBe(true)
  expect(name.closest('.name')?.contains(root.querySelector('#adder-note'))).toBe(true)
})
