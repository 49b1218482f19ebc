import { expect, test } from 'vitest'
import { createWorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { isChange } from '../../../electron/queue/entry.ts'
import type { Fields } from '../../../electron/queue/fields.ts'
import type { PushItem, RemoteRow } from '../../../electron/sync/port.ts'
import { openRules, sealBy, type WireFields } from '../../../electron/sync/adapters/shared/value-rules.ts'
import { cipher, Shelf, variable } from './shelf.ts'

const seal = sealBy({ ...openRules(cipher), workspaceId: 'w', policy: () => 'bound' })

const shown = { etag: null, createdAt: null, updatedAt: null, updatedBy: null }
const rows: RemoteRow[] = [
  { ...shown, kind: 'project', remoteId: 'shop', parentRemoteId: null, fields: { name: 'Shop', slug: 'shop' } },
  { ...shown, kind: 'environment', remoteId: 'prod', parentRemoteId: 'shop', fields: { name: 'Prod', slug: 'prod' } },
  { ...shown, kind: 'variable', remoteId: 'key', parentRemoteId: 'prod', fields: variable('KEY', 'old') },
]

/** How an edit of KEY is sent, with what the service has shown of it. */
const send = (patch: Fields, known: (item: PushItem) => Partial<PushItem> = () => ({})): WireFields => {
  const shelf = new Shelf()
  for (const row of rows) shelf.put(row)
  const item = shelf.update(shelf.at('shop/prod/KEY'), patch)
  if (!isChange(item.entry)) throw new Error('not a change')
  return seal(item.entry, { ...item, ...known(item) })
}

const withoutParent = () => ({ parent: null })
const withoutName = ({ base }: PushItem) => ({ base: base && { ...base, fields: { value: cipher.seal('old') } } })

test('a value is sent bound to its variable', () => {
  const place = { workspaceId: 'w', environmentId: 'prod', name: 'KEY', type: 'string', isSecret: false } as const
  const sent = send({ value: cipher.seal('new') })
  expect(sent.ok && sent.value.value !== undefined && cipher.openBound(sent.value.value, [place])?.text).toBe('new')
})

test.each([
  { what: 'a new value', known: 'environment', patch: { value: cipher.seal('new') }, unless: withoutParent },
  { what: 'a new value', known: 'name', patch: { value: cipher.seal('new') }, unless: withoutName },
  { what: 'a new name', known: 'environment', patch: { name: 'NEXT' }, unless: withoutParent },
])('$what is not sent without a value to go with it where the $known is unknown: it would count as sent', ({ patch, unless }) => {
  expect(send(patch, unless)).toEqual({ ok: false, problem: expect.stringContaining('isn’t sent') as string })
})

test('a value of a former workspace key is sent to an open workspace as sealed with the present one', () => {
  const former = new Uint8Array(32).fill(9)
  const now = createWorkspaceCipher(new Uint8Array(32).fill(1), [Uint8Array.from(former)])
  const shelf = new Shelf()
  for (const row of rows) shelf.put(row)
  const { entry, ...item } = shelf.update(shelf.at('shop/prod/KEY'), { value: createWorkspaceCipher(former).seal('typed') })
  if (!isChange(entry)) throw new Error('not a change')
  const sent = sealBy(openRules(now))(entry, { entry, ...item })
  expect(sent.ok && sent.value.value !== undefined && createWorkspaceCipher(new Uint8Array(32).fill(1)).open(sent.value.value)).toBe(
    'typed',
  )
})
