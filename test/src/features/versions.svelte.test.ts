import { createRawSnippet, flushSync } from 'svelte'
import { expect, onTestFinished, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { VersionList, VersionRow } from '../../../electron/bridge/rows.ts'
import Versions from '../../../src/features/versions/Versions.svelte'
import { access } from '../../../src/lib/access.svelte.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { aProjectRow } from '../support/a-project-row.ts'
import { anEnvironmentRow } from '../support/an-environment-row.ts'
import { aVersionRow } from '../support/a-version-row.ts'
import { mounted, pressKey, settled } from '../support/mounted.ts'

const project = aProjectRow()
const environment = anEnvironmentRow()
const version = (label: string): VersionRow => aVersionRow({ id: label, label })
const list: VersionList = { rows: [version('v2'), version('v1')], rollbacks: [], lastRollback: null, limit: null }

/** The screen, as a window opens it that tells anew with every sync where it is. */
const opened = (startAt: string | null) => {
  let route = $state.raw({ versionId: startAt })
  const answers: (() => void)[] = []
  const bridge = {
    query: (name: string, { versionId }: { versionId?: string }) =>
      new Promise((resolve) => {
        const detail = {
          version: version(versionId ?? ''),
          counts: { added: 0, updated: 1, removed: 0, same: 0 },
          total: 0,
          offset: 0,
          rows: [],
        }
        answers.push(() => resolve({ ok: true, value: name === 'versions.list' ? list : name === 'versions.show' ? detail : [] }))
      }),
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => undefined,
  } as unknown as Bridge
  const pill = createRawSnippet(() => ({ render: () => '<span></span>' }))
  const props = {
    workspaceId: 'w',
    project,
    environment,
    status: undefined,
    pill,
    onleave: () => undefined,
    get startAt() {
      return route.versionId
    },
  }
  const screen = mounted(Versions, props, bridge)
  return {
    screen,
    picked: () => screen.querySelector('[role="option"][aria-selected="true"]')?.getAttribute('data-label'),
    pick: (label: string) => {
      screen.querySelector<HTMLElement>(`[role="option"][data-label="${label}"]`)?.click()
      flushSync()
    },
    goTo: (versionId: string) => {
      route = { versionId }
      flushSync()
    },
    answer: async () => {
      for (const give of answers.splice(0)) give()
      await settled()
    },
  }
}

test('a version that was picked stays the one that is shown when a sync tells anew where the window is', async () => {
  const { answer, pick, picked, goTo } = opened('v1')
  await answer()
  expect(picked()).toBe('v1')
  pick('v2')
  goTo('v1')
  expect(picked()).toBe('v2')
  goTo('v2')
  goTo('v1')
  expect(picked()).toBe('v1')
})

test('the key of a rollback asks for one, also when it is pressed before the versions are loaded', async () => {
  const { answer } = opened(null)
  pressKey('r')
  await answer()
  await settled()
  expect(document.querySelector('[data-testid="rollback-dialog"]')?.textContent).toContain('Roll back Production to v2?')
})

test('a viewer finds the buttons that save and roll back disabled, with the reason, and no keys for them', async () => {
  onTestFinished(() => access.learn(null))
  const reason = 'You can only view this workspace.'
  access.learn({ isViewOnly: true, keepsDeleted: true, refusals: { 'versions.create': reason, 'versions.rollback': reason } })
  const { screen, answer } = opened(null)
  await answer()
  await answer()
  for (const words of ['Save version', 'Roll back…']) {
    const button = [...screen.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === words)
    expect([button?.getAttribute('aria-disabled'), button?.dataset['tip'], button?.getAttribute('aria-description')]).toEqual([
      'true',
      reason,
      reason,
    ])
    button?.click()
    flushSync()
    expect(toasts.list.map(({ text }) => text)).toEqual([reason])
    for (const toast of toasts.list) toasts.dismiss(toast.id)
  }
  expect(document.querySelector('[role="dialog"]')).toBeNull()
  expect(screen.querySelector('footer')?.textContent).not.toMatch(/save version|roll back/)
})
