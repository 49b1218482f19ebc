import { expect, test } from 'vitest'
import { killOften } from './kill-often.ts'

test('a Holdfast killed in the middle of edits and syncs, again and again, has lost nothing it acknowledged', async () => {
  const report = await killOften(8)
  expect(report.kills).toBe(8)
  expect(report.acknowledged).toBeGreaterThan(8)
  expect(report.variables).toBeGreaterThan(0)
})
