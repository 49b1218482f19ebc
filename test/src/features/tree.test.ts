import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import Tree from '../../../src/features/shell/Tree.svelte'
import { draftsOf } from '../../../src/features/variables/drafts.svelte.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { mounted, settled } from '../support/mounted.ts'
import { treeCallbacks } from '../support/tree-callbacks.ts'

const props = {
  workspaceId: 'w',
  projects: [aProjectRow({ id: 'p', name: 'Shop' })],
  environments: [anEnvironmentRow({ id: 'e', projectId: 'p' })],
  selected: 'e',
  ...treeCallbacks,
}

/** Leaves the field of a typed name by a click on New project. `answer`: to saving the name. */
const leaveByNewProject = async (answer: unknown) => {
  const bridge = { command: () => Promise.resolve(answer) } as unknown as Bridge
  draftsOf('w').forms.naming = { of: 'row', id: 'p', rev: 1, text: 'Store', original: 'Shop' }
  const tree = mounted(Tree, props, bridge)
  const button = tree.querySelector<HTMLElement>('[aria-label="New project"]')
  button?.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  button?.click()
  await settled()
  return tree
}

test('a refused name stays in its field when another field is asked for, and has the keyboard', async () => {
  const tree = await leaveByNewProject({ ok: false, error: { kind: 'not-found', message: 'Shop was deleted.' } })
  expect(draftsOf('w').forms.naming).toMatchObject({ of: 'row', text: 'Store' })
  expect(tree.textContent).toContain('Shop was deleted.')
  expect(document.activeElement).toBe(tree.querySelector('input'))
})

test('the field that was asked for while a name was saved opens once it is', async () => {
  await leaveByNewProject({ ok: true, value: null })
  expect(draftsOf('w').forms.naming).toEqual({ of: 'project', text: '' })
})

test('a field for a name that is opened while another name is being saved stays open', async () => {
  const saving = Promise.withResolvers<unknown>()
  const bridge = { command: () => saving.promise } as unknown as Bridge
  const { forms } = draftsOf('w')
  forms.naming = { of: 'row', id: 'p', rev: 1, text: 'Store', original: 'Shop' }
  const tree = mounted(Tree, props, bridge)
  tree.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await settled()
  draftsOf('w').forms.naming = { of: 'project', text: '' }
  flushSync()
  saving.resolve({ ok: true, value: null })
  await settled()
  expect(draftsOf('w').forms.naming).toEqual({ of: 'project', text: '' })
})
