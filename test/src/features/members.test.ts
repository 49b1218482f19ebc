import { createRawSnippet, flushSync } from 'svelte'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import type { MemberRow, RoleRow, SyncStatus, WorkspaceRow } from '../../../electron/bridge/rows.ts'
import Members from '../../../src/features/members/Members.svelte'
import { draftsOf } from '../../../src/features/variables/drafts.svelte.ts'
import { access } from '../../../src/lib/access.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { fieldOf, labelled, mounted, pressKey, settled, type } from '../support/mounted.ts'

const workspace: WorkspaceRow = {
  id: 'w',
  name: 'Fernweh',
  kind: 'local',
  baseUrl: null,
  needs: [],
  problem: null,
  repair: null,
  serviceDamage: null,
  undoing: null,
}

const owner: MemberRow = {
  id: 'm',
  email: 'owner@localhost',
  status: 'active',
  roleId: 'owner',
  isYou: false,
  isLeaving: false,
  since: '2026-11-21T00:00:00Z',
  sync: 'synced',
  syncReason: null,
  changeId: null,
}

/** An invitation that was never sent. */
const unsent: MemberRow = {
  ...owner,
  id: 'invited',
  email: 'eve@example.com',
  status: 'unsent',
  roleId: 'editor',
  since: null,
  sync: 'queued',
  changeId: 'c',
}

/** The screen, whose queries are answered by `answer` and again by `change`. */
const opened = (roles: RoleRow[] = [], state: 'synced' | 'offline' = 'synced') => {
  let members: MemberRow[] = []
  const listeners = new Set<(push: Push) => void>()
  const waiting: (() => void)[] = []
  const sent: [string, object][] = []
  const bridge = {
    query: (name: string) =>
      new Promise((resolve) => {
        waiting.push(() => resolve({ ok: true, value: { rows: name === 'members.list' ? members : roles, limit: null } }))
      }),
    command: (name: string, args: object) => {
      sent.push([name, args])
      return Promise.resolve({ ok: true, value: { id: 'invited' } })
    },
    onPush: (listen: (push: Push) => void) => {
      listeners.add(listen)
      return () => listeners.delete(listen)
    },
  } as unknown as Bridge
  const pill = createRawSnippet(() => ({ render: () => '<span></span>' }))
  const screen = mounted(
    Members,
    { workspace, status: { state, isPaused: false, message: null } as SyncStatus, pill, onleave: () => undefined },
    bridge,
  )
  const answer = async () => {
    for (const give of waiting.splice(0)) give()
    await settled()
  }
  return {
    screen,
    sent,
    answer,
    pull: async (rows: MemberRow[]) => {
      members = rows
      for (const tell of listeners) tell({ push: 'changed', workspaceId: 'w', tables: ['members'] })
      await expect.poll(() => waiting.length).toBeGreaterThan(0)
      await answer()
    },
  }
}

describe('the members', () => {
  test('take the keyboard when the first of them arrives after the screen was opened', async () => {
    const { screen, answer, pull } = opened()
    await answer()
    expect(screen.querySelector('[role="grid"]')).toBeNull()
    await pull([owner])
    expect(document.activeElement).toBe(labelled(screen, 'Members'))
  })

  test('leave the keyboard in the invitation when the first of them arrives', async () => {
    const { screen, answer, pull } = opened()
    await answer()
    pressKey('i')
    const field = document.activeElement
    expect(field?.tagName).toBe('INPUT')
    await pull([owner])
    expect(labelled(screen, 'Members')).not.toBe(document.activeElement)
    expect(document.activeElement).toBe(field)
  })

  test('open the invitation for its key, also when it is pressed before they are loaded', async () => {
    const { answer, pull } = opened()
    pressKey('i')
    expect(document.activeElement?.tagName).not.toBe('INPUT')
    await answer()
    await settled()
    expect(document.activeElement?.tagName).toBe('INPUT')
    await pull([owner])
  })
})

test('an invitation is said to be under way while it is, and no more once it is discarded', async () => {
  const { screen, answer, pull } = opened()
  await answer()
  await pull([owner])
  type(fieldOf(screen, 'Email to invite'), 'Eve@example.com')
  screen.querySelector('form')?.requestSubmit()
  await settled()
  await pull([owner, unsent])
  const note = () => screen.querySelector('form p')?.textContent.replaceAll(/\s+/g, ' ') ?? ''
  expect(note()).toContain('Inviting Eve@example.com.')
  await pull([owner, { ...unsent, status: 'invited', sync: 'synced', changeId: null }])
  expect(note()).toContain('Invited Eve@example.com.')
  await pull([owner])
  expect(note()).not.toContain('Eve@example.com')
})

test('an address is taken out of its field as soon as it is sent, so that a second Enter invites nobody twice', async () => {
  const { screen, sent, answer } = opened([{ id: 'editor', name: 'Editor', permissions: [] }])
  await answer()
  const submit = () => screen.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
  type(fieldOf(screen, 'Email to invite'), 'eve@example.com')
  submit()
  flushSync()
  expect([sent.length, fieldOf(screen, 'Email to invite').value]).toEqual([1, ''])
  expect(screen.querySelector<HTMLButtonElement>('button[type="submit"]')?.disabled).toBe(true)
})

test('whoever may not remove members can still discard their own invitation', async () => {
  onTestFinished(() => access.learn(null))
  const reason = 'You can only view this workspace.'
  access.learn({
    isViewOnly: true,
    keepsDeleted: true,
    refusals: { 'members.invite': reason, 'members.remove': reason, 'members.set-role': reason },
  })
  const { screen, sent, answer, pull } = opened()
  await answer()
  await pull([owner, unsent])
  const remove = labelled(screen, 'Remove owner@localhost')
  const discard = labelled(screen, 'Discard the invitation for eve@example.com')
  expect([remove, discard].map((button) => button.getAttribute('aria-disabled'))).toEqual(['true', null])
  remove.click()
  expect(toasts.list.map(({ text }) => text)).toEqual([reason])
  discard.click()
  await settled()
  expect(sent).toEqual([['members.remove', { workspaceId: 'w', id: 'invited' }]])
})

test('an address that is typed stays, with the reason, when its user may no longer invite', async () => {
  onTestFinished(() => {
    access.learn(null)
    draftsOf('w').forms = {}
  })
  const { screen, sent, answer, pull } = opened()
  await answer()
  await pull([owner])
  type(fieldOf(screen, 'Email to invite'), 'eve@example.com')
  const reason = 'Your role in this workspace doesn’t allow this.'
  access.learn({ isViewOnly: false, keepsDeleted: true, refusals: { 'members.invite': reason } })
  await settled()
  expect(fieldOf(screen, 'Email to invite').value).toBe('eve@example.com')
  expect(screen.querySelector('form p')?.textContent).toContain(reason)
  screen.querySelector('form')?.requestSubmit()
  await settled()
  expect(sent).toEqual([])
  type(fieldOf(screen, 'Email to invite'), '')
  await settled()
  expect(screen.querySelector('form')).toBeNull()
})

test.each([
  ['is now Viewer', 'synced', 'synced'],
  ['will be Viewer', 'failed', 'synced'],
  ['will be Viewer', 'sending', 'synced'],
  ['will be Viewer when you’re back online', 'synced', 'offline'],
] as const)('a member %s if their last change is %s and sync is %s', async (words, sync, state) => {
  const roles = [
    { id: 'editor', name: 'Editor', permissions: [] },
    { id: 'viewer', name: 'Viewer', permissions: [] },
  ]
  const { screen, answer, pull } = opened(roles, state)
  await answer()
  const eve: MemberRow = { ...unsent, status: 'active', sync, changeId: sync === 'synced' ? null : 'c' }
  await pull([owner, eve])
  screen.querySelectorAll<HTMLElement>('[aria-haspopup="menu"]')[1]?.click()
  await settled()
  const choice = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')].find(({ textContent }) => textContent.includes('Viewer'))
  choice?.click()
  await settled()
  expect(toasts.list.map(({ text }) => text)).toEqual([`eve@example.com ${words}`])
})
