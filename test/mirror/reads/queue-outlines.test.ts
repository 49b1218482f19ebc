import { expect, test } from 'vitest'
import { allEntries, restoreEntry } from '../../../electron/mirror/queue-layer.ts'
import { readOutlines } from '../../../electron/mirror/reads/queue-outlines.ts'
import type { Change } from '../../../electron/queue/entry.ts'
import { sameField } from '../../../electron/queue/fields.ts'
import { aChange } from '../../queue/a-change.ts'
import { newMirror } from '../temp-file.ts'

const value = (sealed: string) => ({ sealed, tag: null, keyId: 'key' })

test.each<{ what: string; parts: Partial<Change>; isSame: boolean }>([
  { what: 'an edit of a value', parts: { patch: { value: value('v1:new') }, base: { name: 'A', value: value('v1:old') } }, isSame: false },
  { what: 'an edit that keeps the value', parts: { patch: { value: value('v1:old') }, base: { value: value('v1:old') } }, isSame: true },
  { what: 'a new variable', parts: { kind: 'create', patch: { name: 'A', value: value('v1:new') }, base: null }, isSame: false },
  { what: 'a deletion', parts: { kind: 'delete', patch: {}, base: { value: value('v1:old') } }, isSame: false },
  {
    what: 'a value to be sealed again',
    parts: { patch: { value: { ...value('v1:old'), reseal: true } }, base: { value: value('v1:old') } },
    isSame: false,
  },
  {
    what: 'a conflict',
    parts: {
      state: 'conflict',
      patch: { value: value('v1:new') },
      base: { value: value('v1:old') },
      conflict: { kind: 'fields', remote: { value: value('v1:theirs') }, by: 'them' },
    },
    isSame: false,
  },
  { what: 'a new slug', parts: { rowKind: 'environment', patch: { slug: 'live' }, base: { slug: 'prod', name: 'Prod' } }, isSame: true },
])('the outline of $what has all but the values, and tells whether they are the same', async ({ parts, isSame }) => {
  const mirror = newMirror()
  mirror.write((tx) => restoreEntry(tx, aChange({ ...parts, id: 'c' })))
  const outlines = await mirror.lasting(readOutlines)
  expect(JSON.stringify(outlines)).not.toContain('v1:')
  const named = JSON.stringify(outlines).replaceAll(/"sealed":"[^"]*"/g, '"sealed":""')
  expect(named).toBe(JSON.stringify(mirror.snapshot(allEntries)).replaceAll(/"sealed":"[^"]*"/g, '"sealed":""'))
  const [outline] = outlines as Change[]
  expect(sameField(outline?.patch.value, outline?.base?.value)).toBe(isSame)
})

test('the outlines of a long queue are all of its entries, in order', async () => {
  const mirror = newMirror()
  mirror.write((tx) => {
    for (let n = 0; n < 100; n += 1) restoreEntry(tx, aChange({ id: `c${n}`, rowId: `row${n}`, patch: { value: value('v1:new') } }))
  })
  const outlines = await mirror.lasting(readOutlines)
  expect(outlines.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, n) => `c${n}`))
})
