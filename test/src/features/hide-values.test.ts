// Values that are hidden again leave the screen at once. Their next answer may be long in coming, or never come: the connection is lost.
import { flushSync, type Component } from 'svelte'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import ConflictGlance from '../../../src/features/sync/ConflictGlance.svelte'
import ConflictReview from '../../../src/features/sync/ConflictReview.svelte'
import QueuedFields from '../../../src/features/sync/QueuedFields.svelte'
import VersionPane from '../../../src/features/versions/VersionPane.svelte'
import { aVersionRow } from '../support/a-version-row.ts'
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

test.each<[string, unknown, object, string[], string]>([
  ['a version, while another one is shown', VersionPane, versionPane, ['Reveal FIRST', 'Reveal SECOND'], 'Hide FIRST'],
  ['a conflict below the list', ConflictGlance, { ...ofChange, below: null }, ['Reveal values'], 'Hide values'],
  ['a conflict in review', ConflictReview, { ...ofChange, onclose: nothing, onresolved: nothing }, ['Reveal values'], 'Hide values'],
  ['an unsent change', QueuedFields, ofChange, ['Reveal values'], 'Hide values'],
])('a revealed value of %s is hidden at once, though the connection is lost', async (_, component, props, reveal, hide) => {
  const height = vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  onTestFinished(() => height.mockRestore())
  let isLost = false
  const lost = { ok: false, error: { kind: 'offline', message: 'This tab isn’t connected to Holdfast right now. Try again in a moment.' } }
  const bridge = {
    query: (name: string, args: object) => Promise.resolve(isLost ? lost : { ok: true, value: answers[name]?.(args) ?? [] }),
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => nothing,
  } as unknown as Bridge
  mounted(component as Component, props as never, bridge)
  await settle()
  for (const label of reveal) await press(label)
  expect(document.body.textContent).toContain('secret of FIRST')
  isLost = true
  await press(hide)
  expect(document.body.textContent).not.toContain('secret of FIRST')
})
