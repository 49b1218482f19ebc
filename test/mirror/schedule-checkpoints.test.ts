import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { getState, setState } from '../../electron/mirror/workspace-state.ts'
import { newMirror } from './temp-file.ts'

const megabyte = 1024 * 1024
const sizeOf = (file: string): number => statSync(file).size

test('a large commit leaves its pages in the log, and the next turn copies them into the database', async () => {
  const mirror = newMirror()
  await nextTurn()
  const before = sizeOf(mirror.file)
  mirror.write((tx) => setState(tx, 'feed-cursor', 'x'.repeat(6 * megabyte)))
  expect(sizeOf(mirror.file)).toBe(before)
  await nextTurn()
  expect(sizeOf(mirror.file)).toBeGreaterThan(6 * megabyte)
})

test('commits without a turn between them do not let the log grow without end', () => {
  const mirror = newMirror()
  for (let n = 0; n < 60; n += 1) mirror.write((tx) => setState(tx, 'feed-cursor', String(n % 10).repeat(megabyte)))
  expect(sizeOf(`${mirror.file}-wal`)).toBeLessThan(25 * megabyte)
})

test('a mirror that is closed before its checkpoint loses nothing', async () => {
  const mirror = newMirror()
  mirror.write((tx) => setState(tx, 'feed-cursor', 'x'.repeat(6 * megabyte)))
  mirror.close()
  await nextTurn()
  const again = openMirror(mirror.file)
  if (!again.ok) throw new Error(again.error.message)
  expect(again.value.snapshot((tx) => getState(tx, 'feed-cursor'))?.length).toBe(6 * megabyte)
  again.value.close()
})
