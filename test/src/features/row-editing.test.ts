// @vitest-environment happy-dom
import { expect, test } from 'vitest'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { ShownValue } from '../../../electron/bridge/rows.ts'
import { Drafts } from '../../../src/features/variables/drafts.svelte.ts'
import { RowEditing } from '../../../src/features/variables/row-editing.ts'
import { aVariableRow } from '../support/a-variable-row.ts'
import { pressed } from '../support/pressed.ts'

const row = (name: string) => aVariableRow({ id: `id-${name}`, name, type: 'string', isSecret: true })

/** Values are read when the test lets them. */
const setUp = (refusal: AppError | null = null) => {
  const saved: unknown[] = []
  const reading = new Map<string, { resolve: (value: ShownValue | null) => void; reject: (error: Error) => void }>()
  const bridge: Bridge = {
    query: () => Promise.reject(new Error('no query is expected')),
    command: (_, args) => {
      saved.push(args)
      return Promise.resolve((refusal === null ? { ok: true, value: null } : { ok: false, error: refusal }) as never)
    },
    onPush: () => () => {},
  }
  const drafts = new Drafts()
  const readValue = (id: string) => new Promise<ShownValue | null>((resolve, reject) => void reading.set(id, { resolve, reject }))
  const read = async (id: string, value: ShownValue | null) => {
    reading.get(id)?.resolve(value)
    await Promise.resolve()
  }
  const fail = (id: string) => reading.get(id)?.reject(new Error('gone'))
  const turned: string[] = []
  const editing = new RowEditing({ bridge, workspaceId: 'w', drafts, readValue, focusTable: () => undefined, focusEditor: () => undefined })
  const open = (name: string, field: 'name' | 'value') => editing.open(row(name), 0, field, () => turned.push(name))
  const paste = (name: string, text: string) => editing.open(row(name), 0, 'value', () => {}, text)
  return { editing, drafts, saved, read, fail, open, paste, turned }
}

test('of two values asked for, the later is edited, whichever is read first', async () => {
  const { open, read, drafts } = setUp()
  const first = open('A', 'value')
  const second = open('B', 'value')
  await read('id-B', { id: 'id-B', rev: 0, state: 'shown', value: 'b' })
  await read('id-A', { id: 'id-A', rev: 0, state: 'shown', value: 'a' })
  await Promise.all([first, second])
  expect(drafts.edit).toMatchObject({ original: 'b', row: { name: 'B' } })
})

test('a pasted value is put into the editor, and saved only from there', async () => {
  const { drafts, read, saved, paste } = setUp()
  const pasting = paste('A', 'pasted')
  await read('id-A', { id: 'id-A', rev: 0, state: 'shown', value: 'a' })
  await pasting
  expect(drafts.edit).toMatchObject({ field: 'value', original: 'a', text: 'pasted' })
  expect(saved).toEqual([])
})

test('opening another saves what is typed first', async () => {
  const { open, drafts, saved, turned } = setUp()
  await open('A', 'name')
  if (drafts.edit) drafts.edit.text = ' AA '
  await open('B', 'name')
  expect(saved).toEqual([{ workspaceId: 'w', id: 'id-A', seen: 0, name: 'AA' }])
  expect(drafts.edit?.row.name).toBe('B')
  expect(turned).toEqual(['A', 'B'])
})

test('what is refused stays in its editor with the reason, and no other opens', async () => {
  const { open, drafts, turned } = setUp({ kind: 'name-taken', message: 'AA is taken.' })
  await open('A', 'name')
  if (drafts.edit) drafts.edit.text = 'AA'
  await open('B', 'name')
  expect(drafts.edit).toMatchObject({ text: 'AA', error: 'AA is taken.', gone: false, row: { name: 'A' } })
  expect(turned).toEqual(['A'])
})

test('asked for again, an editor keeps what is typed in it', async () => {
  const { open, drafts, saved } = setUp()
  await open('A', 'name')
  if (drafts.edit) drafts.edit.text = 'AA'
  await open('A', 'name')
  expect(drafts.edit?.text).toBe('AA')
  expect(saved).toEqual([])
})

test.each<[string, string, string | null, unknown[]]>([
  ['the same name is not saved', 'A', null, []],
  ['nor one that no service takes', ' ', 'A variable name can’t be empty.', []],
])('%s', async (_, text, error, saves) => {
  const { open, editing, drafts, saved } = setUp()
  await open('A', 'name')
  if (drafts.edit) drafts.edit.text = text
  expect(await editing.save()).toBe(error === null)
  expect(drafts.edit?.error ?? null).toBe(error)
  expect(saved).toEqual(saves)
})

test('a value that cannot be read is replaced by what is saved, even by nothing', async () => {
  const { open, editing, read, saved } = setUp()
  const opened = open('A', 'value')
  await read('id-A', { id: 'id-A', rev: 0, state: 'unreadable' })
  await opened
  expect(await editing.save()).toBe(true)
  expect(saved).toEqual([{ workspaceId: 'w', id: 'id-A', seen: 0, value: '' }])
})

test('keys pressed right after a paste reach the editor once the pasted text is in it', async () => {
  const { editing, drafts, read, saved, paste } = setUp()
  const field = document.createElement('input')
  document.body.append(field)
  field.focus()
  field.addEventListener('keydown', (event) => event.key === 'Enter' && void editing.save())
  const pasting = paste('A', 'pasted')
  field.dispatchEvent(pressed('Enter'))
  expect(saved).toEqual([])
  await read('id-A', { id: 'id-A', rev: 0, state: 'shown', value: 'a' })
  await pasting
  await expect.poll(() => drafts.edit).toBe(null)
  expect(saved).toEqual([{ workspaceId: 'w', id: 'id-A', seen: 0, value: 'pasted' }])
})

test.each<[string, string | null, string]>([
  ['fills an editor that nothing was typed in', null, 'pasted'],
  ['leaves what was typed', 'typed', 'typed'],
])('a paste on a row whose value is being edited %s', async (_, typed, text) => {
  const { drafts, read, open, paste } = setUp()
  const opened = open('A', 'value')
  await read('id-A', { id: 'id-A', rev: 0, state: 'shown', value: 'a' })
  await opened
  if (drafts.edit && typed !== null) drafts.edit.text = typed
  await paste('A', 'pasted')
  expect(drafts.edit?.text).toBe(text)
})

test('a value that fails to be read leaves the keyboard to the table', async () => {
  const { open, fail } = setUp()
  const opened = open('A', 'value')
  fail('id-A')
  await expect(opened).rejects.toThrow('gone')
  const key = pressed('x')
  document.body.dispatchEvent(key)
  expect(key.defaultPrevented).toBe(false)
})
