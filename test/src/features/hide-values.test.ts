// Values that are hidden again leave the screen at once. Their next answer may be long in coming, or never come: the connection is lost.
import { flushSync, type Component } from 'svelte'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import ExportDialog from '../../../src/features/export/ExportDialog.svelte'
import HistoryDialog from '../../../src/features/history/HistoryDialog.svelte'
import ImportDialog from '../../../src/features/import/ImportDialog.svelte'
import KeysSection from '../../../src/features/settings/KeysSection.svelte'
import ConflictGlance from '../../../src/features/sync/ConflictGlance.svelte'
import ConflictReview from '../../../src/features/sync/ConflictReview.svelte'
import QueuedFields from '../../../src/features/sync/QueuedFields.svelte'
import UnverifiedDialog from '../../../src/features/unverified/UnverifiedDialog.svelte'
import { ImportDraft } from '../../../src/features/variables/import-draft.svelte.ts'
import ResolvedLine from '../../../src/features/variables/ResolvedLine.svelte'
import VersionPane from '../../../src/features/versions/VersionPane.svelte'
import { aVersionRow } from '../support/a-version-row.ts'
import { anUnverifiedRow } from '../support/an-unverified-row.ts'
import { mounted, settled } from '../support/mounted.ts'

const side = (text: string, isRevealed: boolean) => (isRevealed ? { state: 'shown', text } : { state: 'masked', text: null })

const version = aVersionRow({ variableCount: 2 })

const answers: Readonly<Record<string, (args: { names?: string[]; reveal?: boolean }) => unknown>> = {
  'versions.show': () => ({
    version,
    counts: { added: 0, updated: 2, removed: 0, same: 0 },
    total: 2,
    offset: 0,
    rows: ['FIRST', 'SECOND'].map((name) => ({ name, state: 'updated', isSecret: true })),
  }),
  'versions.values': ({ names = [], reveal = false }) =>
    names.map((name) => ({ name, saved: side(`secret of ${name}`, reveal), now: side('other', reveal) })),
  'conflicts.show': ({ reveal = false }) => ({
    changeId: 'c',
    kind: 'fields',
    subject: 'variable',
    name: 'FIRST',
    where: 'Shop / Production',
    remoteBy: null,
    remoteAt: null,
    fingerprint: 'f',
    news: null,
    fields: [{ field: 'value', was: side('was', reveal), mine: side('secret of FIRST', reveal), theirs: side('theirs', reveal) }],
    rollback: null,
  }),
  'history.list': () => [
    {
      entry: 1,
      variableId: 'v',
      environmentId: 'e',
      name: 'FIRST',
      where: 'Shop / Production',
      whose: 'mine',
      why: 'changed',
      by: null,
      at: '2026-11-27T12:00:00.000Z',
      isSecret: true,
      canRestore: true,
      rev: 1,
    },
  ],
  'history.values': ({ reveal = false }) => [{ entry: 1, state: reveal ? 'shown' : 'masked', value: reveal ? 'secret of FIRST' : null }],
  'unverified.list': () => ({ total: 1, rows: [anUnverifiedRow('FIRST')] }),
  'unverified.show': () => ({ value: 'secret of FIRST', last: 'other', rev: 1 }),
  'keys.recovery': () => ({ recoveryKey: 'secret of FIRST' }),
  'import.preview': () => ({
    format: 'env',
    lines: [
      {
        line: 1,
        name: 'FIRST',
        status: 'added',
        reason: null,
        warnings: [],
        id: null,
        value: 'secret of FIRST',
        isSecret: true,
        type: 'string',
      },
    ],
    added: 1,
    changed: 0,
    unchanged: 0,
    removed: 0,
    invalid: 0,
    rev: 1,
  }),
  'variables.changed': () => ({ rev: 1, rows: [] }),
  'references.preview': ({ reveal = false }) => (reveal ? { state: 'shown', value: 'secret of FIRST' } : { state: 'masked', value: null }),
  'export.text': ({ reveal = false }) => ({
    text: reveal ? 'secret of FIRST' : 'FIRST=••••••••',
    fileName: 'shop.env',
    refused: [],
    notes: [],
  }),
  'queue.show': ({ reveal = false }) => [{ field: 'value', was: side('was', reveal), now: side('secret of FIRST', reveal) }],
}

const nothing = () => undefined
const ofChange = { workspaceId: 'w', changeId: 'c' }
const versionPane = {
  workspaceId: 'w',
  environmentName: 'Production',
  version,
  lastRollback: null,
  rollbackWaits: false,
  filter: '',
  only: 'all',
  ononly: nothing,
  onclearfilter: nothing,
  onrollback: nothing,
  ondiscard: nothing,
  onleave: nothing,
}

const settle = async () => {
  for (let turn = 0; turn < 6; turn += 1) await settled()
}

const press = async (label: string) => {
  const button = [...document.querySelectorAll<HTMLElement>('button')].find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent?.trim()) === label,
  )
  if (button === undefined) throw new Error(`no button “${label}”`)
  button.click()
  flushSync()
  await settle()
}

type Case = [what: string, component: unknown, props: object, reveal: string[], hide: string]

const revealing: readonly Case[] = [
  ['a version', VersionPane, versionPane, ['Reveal FIRST', 'Reveal SECOND'], 'Hide FIRST'],
  ['a conflict below the list', ConflictGlance, { ...ofChange, below: null }, ['Reveal values'], 'Hide values'],
  ['a conflict in review', ConflictReview, { ...ofChange, onclose: nothing, onresolved: nothing }, ['Reveal values'], 'Hide values'],
  ['an unsent change', QueuedFields, ofChange, ['Reveal values'], 'Hide values'],
  [
    'the history',
    HistoryDialog,
    { workspaceId: 'w', environmentId: null, variable: null, of: 'Shop', onclose: nothing },
    ['Reveal the value of FIRST'],
    'Hide the value of FIRST',
  ],
  [
    'an Unverified one',
    UnverifiedDialog,
    { workspace: { id: 'w', name: 'Shop' }, onclose: nothing },
    ['Reveal the values of FIRST'],
    'Hide the values of FIRST',
  ],
  [
    'a workspace key',
    KeysSection,
    {
      status: { keys: { state: 'ready', store: 'session', unlock: 'none', hasPin: false } },
      workspaces: [{ id: 'w', name: 'Shop', kind: 'local', baseUrl: null, problem: null }],
    },
    ['Show the workspace key of Shop'],
    'Hide the workspace key of Shop',
  ],
  [
    'an import',
    ImportDialog,
    { workspaceId: 'w', environmentId: 'e', where: 'Shop / Production', draft: new ImportDraft({ text: 'FIRST=1', isReviewed: true }) },
    ['Show secrets'],
    'Show secrets',
  ],
  [
    'an export',
    ExportDialog,
    { workspaceId: 'w', environmentId: 'e', where: 'Shop / Production', names: null, onclose: nothing },
    ['Show secrets'],
    'Show secrets',
  ],
  ['a reference', ResolvedLine, { workspaceId: 'w', environmentId: 'e', id: null, text: '${FIRST}' }, ['Show'], 'Hide'],
]

const mountRevealed = async ([, component, props, reveal]: Case) => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  onTestFinished(() => height.mockRestore())
  const lost = { ok: false, error: { kind: 'offline', message: 'This tab isn’t connected to Holdfast right now. Try again in a moment.' } }
  const connection = { isLost: false }
  const bridge = {
    query: (name: string, args: object) => Promise.resolve(connection.isLost ? lost : { ok: true, value: answers[name]?.(args) ?? [] }),
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => nothing,
  } as unknown as Bridge
  mounted(component as Component, props as never, bridge)
  await settle()
  expect(document.body.textContent).not.toContain('secret of FIRST')
  for (const label of reveal) await press(label)
  expect(document.body.textContent).toContain('secret of FIRST')
  connection.isLost = true
}

test.each(revealing)('a revealed value of %s is hidden at once, though the connection is lost', async (...one) => {
  await mountRevealed(one)
  await press(one[4])
  expect(document.body.textContent).not.toContain('secret of FIRST')
})

test.each(revealing)('a revealed value of %s is hidden when the window loses the focus', async (...one) => {
  await mountRevealed(one)
  window.dispatchEvent(new FocusEvent('blur'))
  await settle()
  expect(document.body.textContent).not.toContain('secret of FIRST')
})
