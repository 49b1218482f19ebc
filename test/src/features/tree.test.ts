import { flushSync } from 'svelte'
import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import Tree from '../../../src/features/shell/Tree.svelte'
import { draftsOf } from '../../../src/features/variables/drafts.svelte.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { mounted, settled } from '../support/mounted.ts'
import { treeCallbacks } from '../support/tree-callbacks.ts'

test('a field for a name that is opened while another name is being saved stays open', async () => {
  const saving = Promise.withResolvers<unknown>()
  const bridge = { command: () => saving.promise } as unknown as Bridge
  const { forms } = draftsOf('w')
  forms.naming = { of: 'row', id: 'p', rev: 1, text: 'Store', original: 'Shop' }
  const tree = mounted(
    Tree,
    {
      workspaceId: 'w',
      projects: [aProjectRow({ id: 'p', name: 'Shop' })],
      environments: [anEnvironmentRow({ id: 'e', projectId: 'p' })],
      selected: 'e',
      ...treeCallbacks,
    },
    bridge,
  )
  tree.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await settled()
  draftsOf('w').forms.naming = { of: 'project', text: '' }
  flushSync()
  saving.resolve({ ok: true, value: null })
  await settled()
  expect(draftsOf('w').forms.naming).toEqual({ of: 'project', text: '' })
})
