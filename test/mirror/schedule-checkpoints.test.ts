import { statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMirror } from '../../electron/mirror/open-mirror.ts'
import { getState, setState } from '../../electron/mirror/workspace-state.ts'
import { tempFile } from './temp-file.ts'

const megabyte = 1024 * 1024
const sizeOf = (file: string): number => statSync(file).size

function openScratch() {
  const file = tempFile()
  const mirror = openMirror(file)
  if (!mirror.ok) throw new Error(mirror.error.message)
  return { file, mirror: mirror.value }
}

test('a large commit leaves its pages in the log, and the next turn copies them into the database', async () => {
  const { file, mirror } = openScratch()
  await nextTurn()
  const before = sizeOf(file)
  mirror.write((tx) => setState(tx, 'feed-cursor', 'x'.repeat(6 * megabyte)))
  expect(sizeOf(file)).toBe(before)
  await nextTurn()
  expect(sizeOf(file)).toBeGreaterThan(6 * megabyte)
  mirror.close()
})

test('commits without a turn between them do not let the log grow without end', () => {
  const { file, mirror } = openScratch()
  for (let n = 0; n < 60; n += 1) mirror.write((tx) => setState(tx, 'feed-cursor', String(n % 10).repeat(megabyte)))
  expect(sizeOf(`${file}-wal`)).toBeLessThan(25 * megabyte)
  mirror.close()
})

test('a mirror that is closed before its checkpoint loses nothing', async () => {
  const { file, mirror } = openScratch()
  mirror.write((tx) => setState(tx, 'feed-cursor', 'x'.repeat(6 * megabyte)))
  mirror.close()
  await nextTurn()
  const again = openMirror(file)
  if (!again.ok) throw new Error(again.error.message)
  expect(again.value.snapshot((tx) => getState(tx, 'feed-cursor'))?.length).toBe(6 * megabyte)
  again.value.close()
})
