// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Ends } from '../../../src/features/variables/selection.svelte.ts'
import { TableView } from '../../../src/features/variables/table-view.svelte.ts'
import { VariableCommands } from '../../../src/features/variables/variable-commands.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'

afterEach(() => {
  for (const toast of toasts.list) toasts.dismiss(toast.id)
})

test('after a rename, the variables that refer to the former name are updated by one button', async () => {
  const sent: object[] = []
  const answers: Record<string, unknown> = {
    'references.outdated': [
      { id: 'URL', environmentId: 'e' },
      { id: 'LINK', environmentId: 'another' },
    ],
    'variables.position': 0,
  }
  const bridge = {
    query: async (name: string) => ({ ok: true, value: answers[name] }),
    command: async (name: string, args: object) => {
      sent.push({ name, ...args })
      return { ok: true, value: { names: ['URL'] }, step: '1' }
    },
    onPush: () => () => {},
  } as unknown as Bridge
  const commands = new VariableCommands({ bridge, workspaceId: 'w', environmentId: 'e' })
  await commands.tellRenamed({ id: 'host', from: 'HOST', to: 'HOSTNAME' }, new TableView(), {})
  expect(toasts.list).toMatchObject([
    { text: '2 variables still refer to HOST, 1 from other environments', action: { name: 'Update them' } },
  ])
  toasts.list[0]?.action?.run()
  await vi.waitFor(() => expect(toasts.list).toMatchObject([{ text: 'Updated URL to refer to HOSTNAME', action: { name: 'Undo' } }]))
  expect(sent).toEqual([{ name: 'references.rename', workspaceId: 'w', renamed: { id: 'host', from: 'HOST' }, ids: ['URL', 'LINK'] }])
})

test('who opens or copies a variable that was deleted meanwhile is told so', async () => {
  const bridge = { query: async () => ({ ok: true, value: [] }) } as unknown as Bridge
  const commands = new VariableCommands({ bridge, workspaceId: 'w', environmentId: 'e' })
  expect(await commands.readValue('gone')).toBe(null)
  expect(toasts.list).toMatchObject([{ tone: 'bad', text: 'This variable no longer exists. It may have been deleted in the meantime.' }])
})

test.each([
  { gone: 1, toast: 'Deleted 2 variables', marked: 'Marked 2 variables as secret' },
  { gone: 3, toast: 'These variables no longer exist.', marked: 'These variables no longer exist.' },
])('what is said of 3 selected variables counts none of the $gone that others have deleted', async ({ gone, toast, marked }) => {
  const bridge = { command: async () => ({ ok: true, value: { gone } }) } as unknown as Bridge
  const commands = new VariableCommands({ bridge, workspaceId: 'w', environmentId: 'e' })
  const rows = ['a', 'b', 'c'].map((id) => ({ id, seen: 1 }))
  expect(await commands.remove(rows, null)).toBe(null)
  expect(toasts.list.at(-1)?.text).toContain(toast)
  expect(await commands.updateMany(rows, { isSecret: true })).toBe(true)
  expect(toasts.list.at(-1)?.text).toContain(marked)
})

test('a range of thousands of rows is read by one query, so that no row can move in between', async () => {
  const asked: unknown[] = []
  const bridge = {
    query: async (name: string, args: object) => {
      asked.push({ name, ...args })
      return { ok: true, value: [{ id: 'v', name: 'HOST', isUnsent: false, rev: 1 }] }
    },
    onPush: () => () => {},
  } as unknown as Bridge
  const commands = new VariableCommands({ bridge, workspaceId: 'w', environmentId: 'e' })
  const ends: Ends = [
    { id: 'a', index: 3 },
    { id: null, index: 4_000 },
  ]
  const rows = await commands.rowsBetween(new TableView(), ends)
  expect(rows?.map(({ id }) => id)).toEqual(['v'])
  expect(asked).toEqual([
    { name: 'variables.range', workspaceId: 'w', environmentId: 'e', filter: '', sort: { by: 'name', dir: 'asc' }, ends },
  ])
})
