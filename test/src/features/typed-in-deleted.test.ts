import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import TypedInDeleted from '../../../src/features/shell/TypedInDeleted.svelte'
import { draftsOf, type Forms } from '../../../src/features/variables/drafts.svelte.ts'
import { mounted, settled } from '../support/mounted.ts'

/** What is in the queue: one change in conflict. */
const bridge = {
  query: () => Promise.resolve({ ok: true, value: [{ changeId: 'in conflict', state: 'conflict' }] }),
  onPush: () => () => undefined,
} as unknown as Bridge

/** The strip of a workspace where `forms` are half typed and only the environment “known” exists. */
const stripOf = (workspaceId: string, forms: Forms) => {
  draftsOf(workspaceId).forms = forms
  return mounted(TypedInDeleted, { workspaceId, known: new Set(['known']) }, bridge)
}

const buttonNamed = (within: HTMLElement, name: string) => {
  const button = [...within.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)
  if (button === undefined) throw new Error(`There is no button ${name}.`)
  return button
}

test('a note and a name typed for places that others deleted can be discarded, and leave the forms of others', () => {
  const invitation = { email: 'ada@example.com', roleId: null }
  const strip = stripOf('deleted', {
    naming: { of: 'row', id: 'deleted', rev: 1, text: 'Live', original: 'Production' },
    version: { environmentId: 'deleted', label: 'v2', note: 'half a note' },
    invitation,
  })
  expect(strip.textContent).toContain('isn’t saved')
  buttonNamed(strip, 'Discard').click()
  flushSync()
  expect(draftsOf('deleted').forms).toEqual({ invitation })
  expect(strip.textContent).toBe('')
})

test('forms of places that exist, and names of new projects, are shown where they belong', () => {
  const version = { environmentId: 'known', label: '', note: 'half a note' }
  expect(stripOf('both known', { version, naming: { of: 'environment', projectId: 'known', text: 'Sta' } }).textContent).toBe('')
  expect(stripOf('new project', { naming: { of: 'project', text: 'Shop' } }).textContent).toBe('')
})

test('values typed for a conflict that was resolved elsewhere can be copied and discarded', async () => {
  const strip = stripOf('resolved', { conflict: { changeId: 'resolved', typed: { value: 'half a value' } } })
  await settled()
  expect(strip.textContent).toContain('for a conflict that was resolved elsewhere isn’t saved')
  buttonNamed(strip, 'Discard').click()
  flushSync()
  expect(draftsOf('resolved').forms).toEqual({})
  expect(strip.textContent).toBe('')
})

test('values typed for a conflict that waits are shown where it is resolved', async () => {
  const strip = stripOf('waiting', { conflict: { changeId: 'in conflict', typed: { value: 'half a value' } } })
  await settled()
  expect(strip.textContent).toBe('')
})
