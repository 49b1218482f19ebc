import { createRawSnippet, flushSync } from 'svelte'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { CompareGrid } from '../../../electron/bridge/rows.ts'
import Compare from '../../../src/features/compare/Compare.svelte'
import { TableCursor } from '../../../src/features/variables/table-cursor.svelte.ts'
import { commands } from '../../../src/lib/commands.svelte.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'
import { labelled, mounted, press, settled } from '../support/mounted.ts'

const project = aProjectRow()
const environments = ['Alpha', 'Beta'].map((id) => anEnvironmentRow({ id, name: id, slug: id.toLowerCase(), variableCount: 200 }))
const names = Array.from({ length: 200 }, (_, at) => `V${at}`)

const rowOf = (name: string): CompareGrid['rows'][number] => ({
  name,
  isSecret: true,
  type: 'string',
  cells: environments.map(({ id }) => ({
    environmentId: id,
    variableId: `${name} of ${id}`,
    state: 'same',
    group: 1,
    mark: null,
    sync: 'synced',
    syncReason: null,
    changeId: null,
    rev: 1,
  })),
})

/** The table of Beta is left at V150. */
beforeAll(() => {
  const ports = { environmentId: 'Beta', rows: { page: { value: undefined }, at: () => ({ id: 'V150 of Beta', name: 'V150' }) } }
  const leave = $effect.root(() => void new TableCursor(ports as unknown as ConstructorParameters<typeof TableCursor>[0]))
  flushSync()
  leave()
})

/** The comparison, asked for from the table of Beta. What it asks about the place of V150 is answered when told. */
const opened = async () => {
  const asked: [string, Record<string, unknown>][] = []
  const held: (() => void)[] = []
  const value = (name: string, args: { offset?: number; limit?: number; name?: string }) => {
    const { offset = 0, limit = 0 } = args
    if (name === 'variables.position') return 150
    if (name === 'compare.row') return rowOf(args.name ?? 'none')
    if (name !== 'compare.page') return []
    const counts = { missing: 0, empty: 0, different: 0 }
    return {
      environments: environments.map((environment) => ({ ...environment, ...counts })),
      total: names.length,
      all: names.length,
      offset,
      columnOffset: 0,
      rows: names.slice(offset, offset + limit).map(rowOf),
    }
  }
  const bridge = {
    query: (name: string, args: object) => {
      asked.push([name, { ...args }])
      return new Promise((resolve) => {
        const answer = () => resolve({ ok: true, value: value(name, args) })
        if (name === 'variables.position') held.push(answer)
        else answer()
      })
    },
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => undefined,
  } as unknown as Bridge
  const props = {
    workspaceId: 'w',
    project,
    environments,
    from: 'Beta',
    pill: createRawSnippet(() => ({ render: () => '<span></span>' })),
    onleave: () => undefined,
    onnewenvironment: () => undefined,
    onsaveversion: () => undefined,
  }
  const listen = (event: KeyboardEvent) => commands.press(event)
  const listenPaste = (event: ClipboardEvent) => commands.paste(event)
  window.addEventListener('keydown', listen)
  window.addEventListener('paste', listenPaste)
  const main = document.createElement('main')
  document.body.append(main)
  onTestFinished(() => {
    window.removeEventListener('keydown', listen)
    window.removeEventListener('paste', listenPaste)
    main.remove()
  })
  const screen = mounted(Compare, props, bridge)
  main.append(screen)
  const grid = labelled(screen, 'Comparison')
  grid.focus()
  await settled()
  await settled()
  return {
    grid,
    asked: (name: string) => asked.filter(([each]) => each === name).map(([, args]) => args),
    /** The place of V150 is known, and the table scrolls there. */
    arrive: async () => {
      for (const give of held.splice(0)) give()
      await settled()
      await settled()
      grid.querySelector('.scroller')?.dispatchEvent(new Event('scroll'))
      for (let turn = 0; turn < 6; turn += 1) await settled()
    },
  }
}

test.each([
  ['F', 'f', {}],
  ['Shift+F10', 'F10', { shiftKey: true }],
])('%s that is pressed before the cursor is at the variable one comes from is meant for that one', async (_, key, held) => {
  const { grid, asked, arrive } = await opened()
  expect(asked('variables.position')).toHaveLength(1)
  press(grid, key, held)
  await settled()
  expect(asked('compare.row')).toEqual([])
  await arrive()
  expect(grid.getAttribute('aria-activedescendant')).toBe('compare-150-1')
  expect(asked('compare.row').map(({ name }) => name)).toEqual(['V150'])
})

test('Space that is pressed before the cursor is at the variable one comes from shows no other value', async () => {
  const { grid, asked, arrive } = await opened()
  press(grid, ' ')
  await settled()
  await arrive()
  await settled()
  expect(asked('variables.values').flatMap(({ ids }) => ids)).toEqual(['V150 of Beta'])
})

test('Ctrl+C copies no other value before the cursor is at the variable one comes from', async () => {
  const { grid, asked, arrive } = await opened()
  press(grid, 'c', { ctrlKey: true })
  await settled()
  await arrive()
  expect(asked('variables.values')).toEqual([])
})

test('a text that is pasted before the cursor is at the variable one comes from is meant for that one', async () => {
  const { grid, asked, arrive } = await opened()
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', 'pasted')
  grid.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  await settled()
  expect(asked('variables.values')).toEqual([])
  await arrive()
  expect(asked('variables.values').flatMap(({ ids }) => ids)).toEqual(['V150 of Beta'])
})
