import { beforeEach, expect, test } from 'vitest'
import { deleteBase, putBase } from '../../electron/mirror/base-layer.ts'
import { keepHistory } from '../../electron/mirror/history-layer.ts'
import { insertRemotes } from '../../electron/mirror/insert-remotes.ts'
import type { Mirror } from '../../electron/mirror/mirror.ts'
import { forgetNamesakes, recall, trimSuperseded } from '../../electron/mirror/superseded-layer.ts'
import { build, type Tx } from '../../electron/mirror/tx.ts'
import type { BaseRow } from '../../electron/queue/entry.ts'
import { newMirror } from './temp-file.ts'

let mirror: Mirror
beforeEach(() => {
  mirror = newMirror()
})

/** A bound value as the mirror keeps it; its nonce is the number, in sixteen characters. */
const bound = (n: number) => ({ sealed: `v1:${nonce(n)}AAAA.${'b'.repeat(43)}`, tag: 'tag', keyId: 'key' })
const nonce = (n: number): string => String(n).padStart(16, '0')

const variable = (n: number, own?: Partial<BaseRow>): BaseRow => ({
  id: 'row',
  kind: 'variable',
  parentId: 'prod',
  remoteId: 'remote',
  fields: { name: 'KEY', value: bound(n) },
  etag: null,
  createdAt: null,
  updatedAt: null,
  updatedBy: null,
  ...own,
})

const show = (tx: Tx, n: number): void => void putBase(tx, variable(n))

const isSuperseded = (tx: Tx, n: number): boolean => recall(tx, { nonce: nonce(n), remoteId: 'remote', name: 'KEY' }).isSuperseded

const numbersOf = (tx: Tx): number[] =>
  tx.all(build.selectFrom('superseded').select('nonce').orderBy('seq')).map(({ nonce: text }) => Number(text))

test('a value that is superseded again is the newest, and none is there twice', () => {
  mirror.write((tx) => [1, 2, 1, 3].forEach((n) => show(tx, n)))
  expect(mirror.snapshot(numbersOf)).toEqual([2, 1])
})

test('an Unverified value supersedes nothing: the verified one that takes its place does', () => {
  type Value = BaseRow['fields']['value']
  const doubted = (value: string): Value => ({ sealed: `u1:${value}`, tag: null, keyId: 'key' })
  const showValue = (tx: Tx, value: Value) => void putBase(tx, variable(0, { fields: { name: 'KEY', value } }))
  mirror.write((tx) => {
    show(tx, 1)
    showValue(tx, doubted(JSON.stringify({ last: bound(1) })))
    showValue(tx, doubted(JSON.stringify({ last: bound(1), doubt: 'plain' })))
  })
  expect(mirror.snapshot(numbersOf)).toEqual([])
  mirror.write((tx) => show(tx, 1))
  expect(mirror.snapshot(numbersOf)).toEqual([])
  mirror.write((tx) => {
    showValue(tx, doubted(JSON.stringify({ last: bound(1) })))
    show(tx, 2)
  })
  expect(mirror.snapshot(numbersOf)).toEqual([1])
  // One that damage altered keeps nothing.
  mirror.write((tx) => showValue(tx, doubted('{')))
  mirror.write((tx) => show(tx, 3))
  expect(mirror.snapshot(numbersOf)).toEqual([1, 2])
})

test.each([
  { says: 'that the service had is superseded', id: 'row', superseded: true },
  { says: 'of a copy that was never sent is not: another variable has its bytes', id: 'copy', superseded: false },
])('of a deleted variable whose name is taken, the value $says', ({ id, superseded }) => {
  mirror.write((tx) => {
    show(tx, 1)
    keepHistory(tx, variable(1, { id }), { whose: 'mine', why: 'deleted' }, 0)
    putBase(tx, variable(2, { id: 'next', remoteId: 'remote-2' }))
  })
  expect(mirror.snapshot((tx) => isSuperseded(tx, 1))).toBe(superseded)
})

test('of variables that are inserted together, each with a bound value supersedes the deleted value of its name', () => {
  const unbound = { sealed: `v1:${nonce(5)}AAAA`, tag: 'tag', keyId: 'key' }
  const named = (name: string, n: number, value = bound(n)) =>
    variable(n, { id: `row-${n}`, remoteId: `remote-${n}`, fields: { name, value } })
  mirror.write((tx) => {
    for (const old of [named('A', 1), named('B', 2), named('C', 3), named('D', 4)]) {
      putBase(tx, old)
      keepHistory(tx, old, { whose: 'mine', why: 'deleted' }, 0)
      deleteBase(tx, old.id)
    }
    insertRemotes(tx, [named('A', 11), named('C', 13), named('D', 14, unbound)])
  })
  expect(mirror.snapshot(numbersOf)).toEqual([1, 3])
})

test('of an environment that is made again under its local id, no value of the deleted one is superseded: it may be restored', () => {
  mirror.write((tx) => {
    show(tx, 1)
    keepHistory(tx, variable(1), { whose: 'mine', why: 'deleted' }, 0)
    forgetNamesakes(tx, 'prod')
    putBase(tx, variable(2, { id: 'next', remoteId: 'remote-2' }))
  })
  expect(mirror.snapshot((tx) => isSuperseded(tx, 1))).toBe(false)
})

test('the newest 200,000 are remembered, and showing two of them by turns pushes out none', () => {
  const many = Array.from({ length: 200_005 }, (_, n) => nonce(n))
  mirror.write((tx) => {
    for (let at = 0; at < many.length; at += 10_000)
      tx.run(build.insertInto('superseded').values(many.slice(at, at + 10_000).map((text) => ({ nonce: text }))))
    trimSuperseded(tx)
  })
  const kept = (n: number) => mirror.snapshot((tx) => isSuperseded(tx, n))
  expect([4, 5, 200_004].map(kept)).toEqual([false, true, true])
  mirror.write((tx) => {
    for (let turn = 0; turn < 300; turn += 1) show(tx, 300_000 + (turn % 2))
    trimSuperseded(tx)
  })
  expect([6, 7, 200_004, 300_000].map(kept)).toEqual([false, true, true, true])
})
