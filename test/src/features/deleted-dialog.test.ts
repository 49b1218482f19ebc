// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { DeletedRow } from '../../../electron/bridge/rows.ts'
import DeletedDialog from '../../../src/features/deleted/DeletedDialog.svelte'
import { labelled, mounted, settled, type } from '../support/mounted.ts'

const deleted = (name: string): DeletedRow => ({
  id: name,
  kind: 'project',
  name,
  slug: name.toLowerCase(),
  project: null,
  by: 'you',
  at: '2026-01-01T00:00:00.000Z',
  environments: 0,
  variables: 0,
  versions: 0,
  from: 'service',
  lacks: null,
})

test('each of two whose slugs are taken is proposed a slug of its own', async () => {
  const bridge: Bridge = {
    query: () => Promise.resolve({ ok: true, value: [deleted('Shop'), deleted('Blog')] } as never),
    command: () => Promise.resolve({ ok: false, error: { kind: 'name-taken', message: 'Taken.' } } as never),
    onPush: () => () => {},
  }
  mounted(DeletedDialog, { workspaceId: 'w', onrestored: vi.fn(), onclose: vi.fn() }, bridge)
  await settled()
  const field = () => {
    const found = document.querySelector<HTMLInputElement>('[role="dialog"] input')
    if (found === null) throw new Error('no slug is asked for')
    return found
  }
  labelled(document, 'Restore Shop').click()
  await settled()
  expect(field().value).toBe('shop-restored')
  type(field(), 'shop-of-old')
  labelled(document, 'Restore Shop').click()
  await settled()
  expect(field().value).toBe('shop-of-old')
  labelled(document, 'Restore Blog').click()
  await settled()
  expect(field().value).toBe('blog-restored')
})

test('a slug is said to be in use only until it is changed, and what is wrong with the next one is said at the field', async () => {
  const answers = [
    { kind: 'name-taken', message: 'Taken.' },
    { kind: 'invalid-input', field: 'slug', message: 'Use lowercase letters.' },
  ]
  const bridge: Bridge = {
    query: () => Promise.resolve({ ok: true, value: [deleted('Shop')] } as never),
    command: () => Promise.resolve({ ok: false, error: answers.shift() } as never),
    onPush: () => () => {},
  }
  mounted(DeletedDialog, { workspaceId: 'w', onrestored: vi.fn(), onclose: vi.fn() }, bridge)
  await settled()
  labelled(document, 'Restore Shop').click()
  await settled()
  expect(document.body.textContent).toContain('The slug shop is in use.')
  const field = document.querySelector<HTMLInputElement>('[role="dialog"] input')
  if (field === null) throw new Error('no slug is asked for')
  type(field, 'Shop 2!')
  await settled()
  expect(document.body.textContent).not.toContain('is in use')
  document.querySelector<HTMLElement>('[role="dialog"] form [type="submit"]')?.click()
  await settled()
  expect(field.closest('form')?.textContent).toContain('Use lowercase letters.')
  expect(document.body.textContent).not.toContain('is in use')
})

test('says that the list is loading until it comes, or cannot', async () => {
  let answer: (result: unknown) => void = () => undefined
  const bridge: Bridge = {
    query: () => new Promise((resolve) => (answer = resolve)) as never,
    command: () => Promise.resolve({ ok: true, value: null } as never),
    onPush: () => () => {},
  }
  mounted(DeletedDialog, { workspaceId: 'w', onrestored: vi.fn(), onclose: vi.fn() }, bridge)
  await settled()
  const status = () => document.querySelector('[role="dialog"] [role="status"]')?.textContent
  expect(status()).toBe('Loading deleted projects and environments…')
  answer({ ok: false, error: { kind: 'timeout', message: 'It took too long.' } })
  await settled()
  expect(status()).toBeUndefined()
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('It took too long.')
})
