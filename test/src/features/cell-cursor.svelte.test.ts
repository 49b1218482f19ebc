import { flushSync } from 'svelte'
import { expect, onTestFinished, test } from 'vitest'
import { CellCursor } from '../../../src/features/compare/cell-cursor.svelte.ts'
import type { Comparison } from '../../../src/features/compare/comparison.svelte.ts'
import { Drafts } from '../../../src/features/variables/drafts.svelte.ts'

test('once its environment is deleted, the cursor stays with the one that took the column', () => {
  let environments = $state.raw(['Alpha', 'Beta', 'Gamma'].map((id) => ({ id })))
  const comparison = {
    get environments() {
      return environments
    },
    get grid() {
      return { environments }
    },
    question: '',
    total: 1,
    range: { first: 0, end: 1 },
    rowAt: () => ({ name: 'PORT' }),
    indexOf: () => 0,
  } as unknown as Comparison
  const made = { cursor: null as CellCursor | null }
  onTestFinished($effect.root(() => void (made.cursor = new CellCursor(comparison, new Drafts(), () => undefined))))
  const show = (...ids: readonly string[]) => {
    environments = ids.map((id) => ({ id }))
    flushSync()
    return environments[made.cursor?.at.column ?? -1]?.id
  }
  flushSync()
  made.cursor?.goTo(0, 1)
  expect(show('Alpha', 'Beta', 'Gamma')).toBe('Beta')
  expect(show('Alpha', 'Gamma')).toBe('Gamma')
  // Gamma was renamed, and is the first column now.
  expect(show('Gamma', 'Alpha')).toBe('Gamma')
})
