import { expect } from '@playwright/test'
import type { Locator } from '@playwright/test'

const boxOf = async (element: Locator) => {
  const box = await element.boundingBox()
  if (box === null) throw new Error('It is not visible.')
  return box
}

/** Waits until an editor is over a row or cell: their tops are as good as level. */
export const expectOver = (editor: Locator, row: Locator): Promise<void> =>
  expect(async () => {
    const [over, under] = [await boxOf(editor), await boxOf(row)]
    expect(Math.abs(over.y - under.y)).toBeLessThan(under.height / 2)
  }).toPass({ timeout: 20_000 })

/** Waits until an editor covers nothing of a row or cell above it. */
export const expectBelow = (editor: Locator, row: Locator): Promise<void> =>
  expect(async () => {
    const [over, under] = [await boxOf(editor), await boxOf(row)]
    expect(over.y).toBeGreaterThan(under.y + under.height - 2)
  }).toPass({ timeout: 20_000 })
