import { expect, test } from 'vitest'
import { readBody } from '../../electron/remote/read-body.ts'
import { memoryInUse } from '../support/memory-in-use.ts'

const never = new AbortController().signal

const streamOf = (chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const left = chunks[Symbol.iterator]()
  return new ReadableStream({
    pull(controller) {
      const next = left.next()
      if (next.done === true) controller.close()
      else controller.enqueue(next.value)
    },
  })
}

test.each([
  ['none', []],
  ['small', [3, 1, 2]],
  ['larger than a block', [200_000]],
  ['of every size', [1, 65_535, 1, 65_536, 65_537, 131_072, 5]],
])('a body in chunks, %s, is read as it was sent', async (_, sizes) => {
  const sent = sizes.map((size, at) => new Uint8Array(size).map((_byte, index) => (index * 7 + at) % 251))
  const read = await readBody(new Response(streamOf(sent)), 1_000_000, never)
  expect(read && Buffer.from(read).equals(Buffer.concat(sent))).toBe(true)
})

test('a body of more bytes than the limit is not read on', async () => {
  const chunks = () => streamOf([new Uint8Array(60_000), new Uint8Array(60_000)])
  expect(await readBody(new Response(chunks()), 119_999, never)).toBeNull()
  expect((await readBody(new Response(chunks()), 120_000, never))?.byteLength).toBe(120_000)
})

test('a body that a service sends byte by byte takes little more memory than its bytes', async () => {
  const count = 300_000
  const before = memoryInUse()
  let held = 0
  function* bytes() {
    for (let at = 0; at < count; at++) yield new Uint8Array(1)
    held = memoryInUse() - before
  }
  const read = await readBody(new Response(streamOf(bytes())), 1_000_000, never)
  expect(read?.byteLength).toBe(count)
  expect(held).toBeLessThan(10 * 1024 * 1024)
})

test('a body that a service sends byte by byte lets other work have its turn', async () => {
  const sent = Array.from({ length: 6400 }, () => new Uint8Array(1))
  let turns = 0
  const work = setInterval(() => (turns += 1), 0)
  const read = await readBody(new Response(streamOf(sent)), 1_000_000, never)
  clearInterval(work)
  expect([read?.byteLength, turns > 0]).toEqual([6400, true])
})
