import { createRawSnippet, flushSync, type Component } from 'svelte'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import type { ConflictRow, HistoryRow, UnverifiedRow } from '../../../electron/bridge/rows.ts'
import HistoryDialog from '../../../src/features/history/HistoryDialog.svelte'
import DeletePlace from '../../../src/features/shell/DeletePlace.svelte'
import Tree from '../../../src/features/shell/Tree.svelte'
import ConflictReview from '../../../src/features/sync/ConflictReview.svelte'
import UnverifiedDialog from '../../../src/features/unverified/UnverifiedDialog.svelte'
import CopyToDialog from '../../../src/features/variables/CopyToDialog.svelte'
import Variables from '../../../src/features/variables/Variables.svelte'
import { noticeMs } from '../../../src/lib/noticed.svelte.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { aVariableRow } from '../support/a-variable-row.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'
import { fieldOf, labelled, mounted, press, settled, type } from '../support/mounted.ts'
import { treeCallbacks } from '../support/tree-callbacks.ts'

const project = aProjectRow()
const environment = anEnvironmentRow({ name: 'Prod', slug: 'prod' })

/** An application that gives these answers, and tells the page when others change them. */
const application = (first: Readonly<Record<string, unknown>>) => {
  let answers = first
  let refusal: { kind: string; message: string } | null = null
  const listeners = new Set<(push: Push) => void>()
  const sent: [string, Record<string, unknown>][] = []
  const bridge = {
    query: (name: string) => Promise.resolve({ ok: true, value: answers[name] ?? [] }),
    command: (name: string, args: Record<string, unknown>) => {
      sent.push([name, args])
      return Promise.resolve(refusal === null ? { ok: true, value: { decided: 0, skipped: 0 } } : { ok: false, error: refusal })
    },
    onPush: (listen: (push: Push) => void) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  } as unknown as Bridge
  /** The answers change, and the page has asked anew. */
  const become = async (next: Readonly<Record<string, unknown>>) => {
    answers = { ...answers, ...next }
    for (const tell of listeners)
      tell({ push: 'changed', workspaceId: 'w', tables: ['projects', 'environments', 'variables', 'queue', 'sync', 'versions'] })
    await vi.waitFor(() => settled(), { timeout: 60_000 })
    await settled()
  }
  const refuse = (error: { kind: string; message: string } | null) => (refusal = error)
  return { bridge, become, refuse, sent }
}

/** The button of the page, in dialogs too, that says so. */
const button = (name: string): HTMLElement => {
  const found = [...document.querySelectorAll<HTMLElement>('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent.trim()) === name,
  )
  if (found === undefined) throw new Error(`no button “${name}”`)
  return found
}
const click = (element: HTMLElement) => {
  element.click()
  flushSync()
}
/** Opens a screen and lets its first answers come. */
const opened = async <Props extends Record<string, unknown>>(component: Component<Props>, props: Props, bridge: Bridge) => {
  const screen = mounted(component, props, bridge)
  await settled()
  await settled()
  return screen
}

afterEach(() => vi.restoreAllMocks())

describe('what is sent is what was on the screen, though others changed it since', () => {
  test('the name of an environment, as it was when its field was opened in the sidebar', async () => {
    const { bridge, sent } = application({})
    let environments = $state.raw([environment])
    const props = {
      workspaceId: 'w',
      projects: [project],
      get environments() {
        return environments
      },
      selected: 'e',
      ...treeCallbacks,
    }
    const tree = await opened(Tree, props, bridge)
    const item = tree.querySelector<HTMLElement>('[data-testid="environment-item"]')
    if (item === null) throw new Error('no environment')
    press(item, 'F2')
    type(fieldOf(tree, 'Name of Prod'), 'Mine')
    environments = [{ ...environment, name: 'Theirs', rev: 2 }]
    flushSync()
    press(fieldOf(tree, 'Name of Theirs'), 'Enter')
    expect(sent).toEqual([['environments.update', { workspaceId: 'w', id: 'e', seen: 1, name: 'Mine' }]])
  })

  test('a variable that is deleted, as its value on the screen was, though its row is newer', async () => {
    const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
    onTestFinished(() => height.mockRestore())
    const row = (rev: number) => ({
      total: 1,
      offset: 0,
      rev,
      // What shows that the newer row has come.
      rows: [aVariableRow({ id: 'v', name: 'GREETING', type: rev === 1 ? 'string' : 'boolean', rev })],
    })
    const first = { 'variables.page': row(1), 'variables.values': [{ id: 'v', rev: 1, state: 'shown', value: 'as I know it' }] }
    const { bridge, become, sent } = application({ ...first, 'undo.status': { undo: null, redo: null } })
    const pill = createRawSnippet(() => ({ render: () => '<span></span>' }))
    const screen = await opened(
      Variables,
      { workspaceId: 'w', project, environment: { ...environment, id: 'deleted-as-seen' }, pill },
      bridge,
    )
    await become({ 'variables.page': row(2) })
    await vi.waitFor(() => expect(screen.querySelector('[data-testid="value-cell"]')?.textContent).toContain('as I know it'))
    await vi.waitFor(() => expect(screen.querySelector('[role="grid"]')?.textContent).toContain('boolean'))
    const grid = labelled(screen, 'Variables')
    grid.focus()
    press(grid, 'Delete')
    await settled()
    expect(sent.filter(([name]) => name !== 'drafts.keep')).toEqual([
      ['variables.delete', { workspaceId: 'w', rows: [{ id: 'v', seen: 1 }] }],
    ])
  })

  test('an earlier value, restored over the variable as it was when the history was opened', async () => {
    const kept: HistoryRow = {
      entry: 7,
      variableId: 'v',
      environmentId: 'e',
      name: 'GREETING',
      where: 'Fernweh / Prod',
      whose: 'mine',
      why: 'changed',
      by: null,
      at: '2026-11-21T00:00:00Z',
      isSecret: false,
      canRestore: true,
      rev: 1,
    }
    const { bridge, become, sent } = application({ 'history.list': [kept] })
    const variable = { id: 'v', name: 'GREETING' }
    await opened(HistoryDialog, { workspaceId: 'w', environmentId: 'e', variable, of: 'Prod', onclose: () => undefined }, bridge)
    await become({ 'history.list': [{ ...kept, rev: 2 }] })
    click(button('Restore GREETING'))
    expect(sent).toEqual([['history.restore', { workspaceId: 'w', entry: 7, variableId: 'v', seen: 1 }]])
  })

  test('a copy over another environment, as that was when the question was opened', async () => {
    const target = { ...environment, id: 'f', name: 'Dev', slug: 'dev' }
    const { bridge, become, sent } = application({ 'projects.list': [project], 'environments.list': [environment, target] })
    const props = { workspaceId: 'w', environmentId: 'e', rows: [{ id: 'v', seen: 1 }], what: 'GREETING', move: false }
    await opened(CopyToDialog, { ...props, onclose: () => undefined, ondone: () => undefined }, bridge)
    await become({ 'environments.list': [environment, { ...target, rev: 2 }] })
    const choice = document.querySelector<HTMLInputElement>('input[type="radio"]')
    if (choice === null) throw new Error('no environment to copy to')
    click(choice)
    click(button('Copy'))
    await settled()
    expect(sent[0]).toMatchObject(['variables.copy-to', { environmentId: 'f', seen: 1, rows: [{ id: 'v', seen: 1 }] }])
  })

  test('several Unverified values, those that were counted in the question and as they were then', async () => {
    const row = (id: string, rev: number): UnverifiedRow => ({
      id,
      name: id.toUpperCase(),
      where: 'Fernweh / Prod',
      doubt: 'unbound',
      canAccept: true,
      canRestore: false,
      lastName: null,
      updatedAt: null,
      updatedBy: null,
      rev,
    })
    const { bridge, become, sent } = application({ 'unverified.list': { total: 2, rows: [row('a', 1), row('b', 1)] } })
    await opened(UnverifiedDialog, { workspace: { id: 'w', name: 'Shop' } as never, onclose: () => undefined }, bridge)
    click(button('Accept 2 values'))
    await become({ 'unverified.list': { total: 3, rows: [row('a', 1), row('b', 2), row('c', 2)] } })
    click(button('Accept'))
    const rows = [
      { id: 'a', seen: 1 },
      { id: 'b', seen: 1 },
    ]
    expect(sent[0]).toEqual(['unverified.accept', { workspaceId: 'w', rows }])
  })
})

describe('a click that comes before the change on the screen can have been read', () => {
  test('decides a conflict as it was shown before', async () => {
    const side = (text: string) => ({ state: 'shown', text }) as const
    const conflict = (fingerprint: string): ConflictRow => ({
      changeId: 'c',
      kind: 'fields',
      subject: 'variable',
      name: 'GREETING',
      where: 'Fernweh / Prod',
      remoteBy: null,
      remoteAt: null,
      fingerprint,
      news: null,
      fields: [{ field: 'value', was: side('was'), mine: side('mine'), theirs: side(fingerprint) }],
      rollback: null,
    })
    const { bridge, become, refuse, sent } = application({ 'conflicts.show': conflict('first') })
    await opened(
      ConflictReview,
      { workspaceId: 'w', changeId: 'c', typed: null, busy: false, onclose: () => undefined, onresolved: () => undefined },
      bridge,
    )
    refuse({ kind: 'outdated', message: 'It changed.' })
    const { wait } = heldNotices()
    await become({ 'conflicts.show': conflict('second') })
    expect(document.body.textContent).toContain('second')
    click(button('Keep mine'))
    await settled()
    expect(document.body.textContent).toContain('It changed.')
    wait()
    click(button('Keep mine'))
    expect(sent.map(([, { fingerprint }]) => fingerprint)).toEqual(['first', 'second'])
  })

  test('deletes nothing that the question told of only now', async () => {
    const item = { kind: 'environment', row: environment } as const
    const later = { kind: 'environment', row: { ...environment, rev: 2 } } as const
    const { bridge, refuse, sent } = application({ 'queue.list': [] })
    const props = {
      workspaceId: 'w',
      item,
      current: () => later,
      moveOn: () => ({ open: () => undefined, focus: () => undefined }),
      onclose: () => undefined,
    }
    await opened(DeletePlace, props, bridge)
    refuse({ kind: 'outdated', message: 'One variable was changed here.' })
    const { wait } = heldNotices()
    click(button('Delete environment'))
    await settled()
    expect(document.body.textContent).toContain('One variable was changed here.')
    click(button('Delete environment'))
    await settled()
    wait()
    click(button('Delete environment'))
    expect(sent.map(([, { seen }]) => seen)).toEqual([1, 1, 2])
  })
})

/** Holds the time in which a change on the screen is noticed until `wait` lets it pass. Other times pass by themselves. */
const heldNotices = () => {
  const real = globalThis.setTimeout
  const held = new Set<() => void>()
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number, ...args: unknown[]) => {
    if (ms !== noticeMs) return real(run, ms, ...args)
    held.add(run)
    return run as never
  }) as never)
  const forget = vi.spyOn(globalThis, 'clearTimeout').mockImplementation(((timer: never) => void held.delete(timer)) as never)
  return {
    wait: () => {
      for (const run of held) run()
      flushSync()
      spy.mockRestore()
      forget.mockRestore()
    },
  }
}
