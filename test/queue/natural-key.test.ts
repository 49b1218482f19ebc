import { expect, test } from 'vitest'
import type { Change } from '../../electron/queue/entry.ts'
import { claimsOf } from '../../electron/queue/natural-key.ts'
import { aChange } from './a-change.ts'

const at = (parentId: string | null, key: string) => ({ parentId, key })
const moving: Partial<Change> = { ancestors: ['other', 'project'], leaves: ['env', 'project'] }

test.each<{ says: string; change: Partial<Change>; takes: object | null; frees: object | null }>([
  { says: 'a create claims its name', change: { kind: 'create', patch: { name: 'N' }, base: null }, takes: at('env', 'N'), frees: null },
  { says: 'a delete frees its name', change: { kind: 'delete', base: { name: 'A' } }, takes: null, frees: at('env', 'A') },
  { says: 'a rename does both', change: { patch: { name: 'B' }, base: { name: 'A' } }, takes: at('env', 'B'), frees: at('env', 'A') },
  {
    says: 'a move claims its name where it goes and frees it where it leaves',
    change: { ...moving, patch: { parent: 'other' }, base: { name: 'A', parent: 'env' } },
    takes: at('other', 'A'),
    frees: at('env', 'A'),
  },
  {
    says: 'a move under another name claims that one',
    change: { ...moving, patch: { parent: 'other', name: 'B' }, base: { name: 'A', parent: 'env' } },
    takes: at('other', 'B'),
    frees: at('env', 'A'),
  },
  {
    says: 'a project claims its slug beside all others',
    change: { kind: 'create', rowKind: 'project', ancestors: [], patch: { name: 'Shop', slug: 'shop' }, base: null },
    takes: at(null, 'shop'),
    frees: null,
  },
])('$says', ({ change, takes, frees }) => {
  expect(claimsOf(aChange(change))).toEqual({ takes, frees })
})
