import { flushSync } from 'svelte'
import { expect, onTestFinished, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { WorkspaceRow } from '../../../electron/bridge/rows.ts'
import WorkspaceName from '../../../src/features/settings/WorkspaceName.svelte'
import { access } from '../../../src/lib/access.svelte.ts'
import { mounted, settled, type } from '../support/mounted.ts'

const workspace: WorkspaceRow = {
  id: 'w',
  name: 'Shop',
  kind: 'remote',
  baseUrl: 'https://holdfast.example',
  needs: [],
  problem: null,
  repair: null,
  serviceDamage: null,
  undoing: null,
}

/** The form, in a workspace that others rename. */
const opened = () => {
  let row = $state.raw(workspace)
  const bridge = {
    query: () => Promise.reject(new Error('no query is expected')),
    command: () => Promise.resolve({ ok: true, value: { where: 'service' } }),
    onPush: () => () => undefined,
  } as unknown as Bridge
  const props = {
    get workspace() {
      return row
    },
  }
  const form = mounted(WorkspaceName, props, bridge)
  const field = form.querySelector('input')
  if (field === null) throw new Error('There is a field.')
  return {
    form,
    field,
    rename: (name: string) => {
      row = { ...workspace, name }
      flushSync()
    },
    submit: async () => {
      form.querySelector('form')?.requestSubmit()
      await settled()
    },
  }
}

test('the name of the workspace follows a rename by others until something is typed, which then stays beside what it was and is', () => {
  const { form, field, rename } = opened()
  rename('Store')
  expect(field.value).toBe('Store')
  type(field, 'My shop')
  rename('Market')
  expect(field.value).toBe('My shop')
  expect(form.textContent).toContain('Meanwhile renamed from “Store” to “Market”.')
  type(field, 'Market')
  rename('Bazaar')
  expect(field.value).toBe('Bazaar')
})

test('the name of the workspace follows others again once it is renamed here', async () => {
  const { form, field, rename, submit } = opened()
  type(field, 'My shop')
  await submit()
  expect(field.value).toBe('My shop')
  rename('My shop')
  expect(form.textContent).not.toContain('Meanwhile renamed')
  rename('Their shop')
  expect(field.value).toBe('Their shop')
})

test('whoever may not rename the workspace reads why, and changes nothing', () => {
  onTestFinished(() => access.learn(null))
  access.learn({
    isViewOnly: false,
    keepsDeleted: true,
    refusals: { 'workspaces.rename': 'Your role in this workspace doesn’t allow this.' },
  })
  const { form, field } = opened()
  expect(field.readOnly).toBe(true)
  expect(form.textContent).toContain('Your role in this workspace doesn’t allow this.')
  expect(form.querySelector('button')?.getAttribute('aria-disabled')).toBe('true')
})
