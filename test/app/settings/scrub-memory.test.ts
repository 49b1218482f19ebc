import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { firstLine } from '../../e2e/drivers/first-line.ts'
import { scanMemory } from '../../support/scan-memory.ts'

test.skipIf(process.platform !== 'linux').each([
  { what: 'texts that died among objects that live on', program: 'scrubbed.child.ts', ready: 'moved', done: '310000 kept' },
  { what: 'what ended threads left in memory', program: 'ended-threads.child.ts', ready: 'ended', done: 'scrubbed' },
  { what: 'keys that a keychain gave long after a lock', program: 'late-keys.child.ts', ready: 'answered', done: 'scrubbed' },
])('a scrub overwrites $what', async ({ program, ready, done }) => {
  const word = randomBytes(18).toString('hex')
  const child = spawn(process.execPath, [join(import.meta.dirname, program), [...word].toReversed().join('')])
  onTestFinished(() => void child.kill())
  expect(await firstLine(child, 120_000)).toBe(ready)
  const pid = child.pid ?? 0
  expect(scanMemory(pid, { word }).word).toBeGreaterThanOrEqual(10_000)
  child.stdin.write('\n')
  expect(await firstLine(child, 120_000)).toBe(done)
  expect(scanMemory(pid, { word })).toEqual({ word: 0 })
})

test.skipIf(process.platform !== 'linux')('scrubs leave the heap of the allocator as small as it was', async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'heap-after-scrubs.child.ts')])
  onTestFinished(() => void child.kill())
  const { before, after } = JSON.parse(await firstLine(child, 120_000)) as { before: number; after: number }
  expect(before).toBeGreaterThan(0)
  expect(after - before).toBeLessThan(32)
})
