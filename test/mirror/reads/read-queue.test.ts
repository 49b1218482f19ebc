import { expect, test } from 'vitest'
import { restoreEntry } from '../../../electron/mirror/queue-layer.ts'
import { readQueue } from '../../../electron/mirror/reads/read-queue.ts'
import { aChange, sealed } from '../../queue/a-change.ts'
import { newMirror } from '../temp-file.ts'

const names = (count: number) => Array.from({ length: count }, (_, n) => `N${n}`)
const entry = (name: string) => aChange({ id: `c-${name}`, rowId: `r-${name}`, patch: { name, value: sealed(name) } })

test.each([0, 1, 15, 16, 17, 32, 5000])('a queue of %i entries is read whole and in order', async (count) => {
  const mirror = newMirror()
  mirror.write((tx) => {
    for (const name of names(count)) restoreEntry(tx, entry(name))
  })
  const read = await readQueue(mirror)
  expect(read.map(({ id }) => id)).toEqual(names(count).map((name) => `c-${name}`))
})

test('other work runs while a long queue is read, and the queue is read as it was before', async () => {
  const mirror = newMirror()
  mirror.write((tx) => {
    for (const name of names(20_000)) restoreEntry(tx, entry(name))
  })
  let isWritten = false
  const meanwhile = setImmediate(() => {
    mirror.write((tx) => restoreEntry(tx, entry('LATER')))
    isWritten = true
  })
  const read = await readQueue(mirror)
  clearImmediate(meanwhile)
  expect(isWritten).toBe(true)
  expect(read.length).toBe(20_000)
})
