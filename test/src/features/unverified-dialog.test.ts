import { flushSync } from 'svelte'
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import UnverifiedDialog from '../../../src/features/unverified/UnverifiedDialog.svelte'
import { anUnverifiedRow } from '../support/an-unverified-row.ts'
import { toasts } from '../../../src/lib/toasts.svelte.ts'
import { mounted, namedField, settled, type } from '../support/mounted.ts'

test.each(['late', 'refused'] as const)(
  'a row never shows the values revealed before of another one, though its own come %s',
  async (how) => {
    const bridge = {
      query: (name: string, { id }: { id?: string }) => {
        if (name === 'unverified.list')
          return Promise.resolve({ ok: true, value: { total: 2, rows: [anUnverifiedRow('API_URL'), anUnverifiedRow('DB_PASSWORD')] } })
        if (id === 'API_URL') return Promise.resolve({ ok: true, value: { value: 'https://shop', last: 'https://shop.old', rev: 1 } })
        const error = { kind: 'offline', message: 'This tab isn’t connected to Holdfast right now. Try again in a moment.' }
        return how === 'late' ? new Promise(() => undefined) : Promise.resolve({ ok: false, error })
      },
      command: () => Promise.reject(new Error('no command is expected')),
      onPush: () => () => undefined,
    } as unknown as Bridge
    mounted(UnverifiedDialog as never, { workspace: { id: 'w', name: 'Shop' }, onclose: () => undefined } as never, bridge)
    await settled()
    const line = (name: string) => document.querySelector<HTMLElement>(`[data-testid="unverified-row"][data-name="${name}"]`)
    const reveal = async (name: string) => {
      line(name)?.querySelector<HTMLElement>('[aria-label^="Reveal"]')?.click()
      flushSync()
      await settled()
    }
    await reveal('API_URL')
    expect(line('API_URL')?.textContent).toContain('https://shop')
    await reveal('DB_PASSWORD')
    expect(line('DB_PASSWORD')?.textContent).not.toContain('https://shop')
    if (how === 'refused') expect(line('DB_PASSWORD')?.textContent).toContain('isn’t connected to Holdfast')
  },
)

test('a revealed value is accepted as the one on the screen, not as one that came since and is not shown yet', async () => {
  let rev = 1
  const pushes = new Set<(push: never) => void>()
  const accepted: unknown[] = []
  const asked: string[] = []
  const bridge = {
    query: (name: string) => {
      asked.push(name)
      if (name === 'unverified.list')
        return Promise.resolve({ ok: true, value: { total: 1, rows: [{ ...anUnverifiedRow('DB_HOST'), rev }] } })
      // The second value is on its way.
      if (name === 'unverified.show' && rev > 1) return new Promise(() => undefined)
      if (name === 'unverified.show') return Promise.resolve({ ok: true, value: { value: 'db.of-ours', last: 'db.old', rev: 1 } })
      return Promise.resolve({ ok: true, value: { undo: null, redo: null } })
    },
    command: (_: string, args: { rows: unknown[] }) => {
      accepted.push(...args.rows)
      return Promise.resolve({ ok: true, value: { decided: 1, skipped: 0 } })
    },
    onPush: (listen: (push: never) => void) => {
      pushes.add(listen)
      return () => pushes.delete(listen)
    },
  } as unknown as Bridge
  mounted(UnverifiedDialog as never, { workspace: { id: 'w', name: 'Shop' }, onclose: () => undefined } as never, bridge)
  await settled()
  const line = () => document.querySelector<HTMLElement>('[data-testid="unverified-row"]')
  line()?.querySelector<HTMLElement>('[aria-label^="Reveal"]')?.click()
  flushSync()
  await settled()
  rev = 2
  for (const tell of pushes) tell({ push: 'changed', workspaceId: 'w', tables: ['variables', 'queue'] } as never)
  await vi.waitFor(() => expect(asked.filter((name) => name === 'unverified.list')).toHaveLength(2))
  await settled()
  expect(line()?.textContent).toContain('db.of-ours')
  line()?.querySelector<HTMLElement>('[aria-label^="Accept"]')?.click()
  await settled()
  expect(accepted).toEqual([{ id: 'DB_HOST', seen: 1 }])
})

test.each([
  ['elsewhere', true],
  ['plain', false],
] as const)('a value that may be of another workspace key comes with what to do then, any other without: %s', async (doubt, isTold) => {
  const bridge = {
    query: () => Promise.resolve({ ok: true, value: { total: 1, rows: [{ ...anUnverifiedRow('API_URL'), doubt }] } }),
    command: () => Promise.reject(new Error('no command is expected')),
    onPush: () => () => undefined,
  } as unknown as Bridge
  mounted(UnverifiedDialog as never, { workspace: { id: 'w', name: 'Shop' }, onclose: () => undefined } as never, bridge)
  await settled()
  expect(document.body.textContent.includes('encrypted with another workspace key')).toBe(isTold)
})

test('a workspace key is replaced where values of another key are listed, and a refused one stays in its field', async () => {
  const sent: unknown[] = []
  let isOpen = true
  const bridge = {
    query: () => Promise.resolve({ ok: true, value: { total: 1, rows: [{ ...anUnverifiedRow('API_URL'), doubt: 'elsewhere' }] } }),
    command: (name: string, args: unknown) => {
      sent.push([name, args])
      if (sent.length > 1) return Promise.resolve({ ok: true, value: { isSameKey: sent.length > 2 } })
      return Promise.resolve({ ok: false, error: { kind: 'workspace-key-wrong', message: 'This key decrypts fewer.' } })
    },
    onPush: () => () => undefined,
  } as unknown as Bridge
  mounted(UnverifiedDialog as never, { workspace: { id: 'w', name: 'Shop' }, onclose: () => (isOpen = false) } as never, bridge)
  await settled()
  const open = () => {
    const opener = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.trim() === 'Replace workspace key…')
    opener?.click()
    flushSync()
  }
  open()
  const field = () => namedField(document.body, 'Workspace key of your team')
  expect(document.activeElement).toBe(field())
  type(field(), ' the key ')
  const submit = async () => {
    document.querySelector('form')?.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }))
    await settled()
  }
  await submit()
  expect(field().value).toBe(' the key ')
  expect(document.body.textContent).toContain('This key decrypts fewer.')
  expect(isOpen).toBe(true)
  await submit()
  const supplied = ['workspaces.supply-keys', { workspaceId: 'w', workspaceKey: 'the key' }]
  expect(sent).toEqual([supplied, supplied])
  expect(isOpen).toBe(false)
  expect(toasts.list.at(-1)?.text).toBe('Replaced the workspace key of Shop')
  open()
  type(field(), 'the key')
  await submit()
  expect(toasts.list.at(-1)?.text).toBe('Shop already uses this workspace key')
})
