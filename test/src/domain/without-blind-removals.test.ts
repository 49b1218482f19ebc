import { expect, test } from 'vitest'
import type { ImportLine } from '../../../electron/bridge/rows.ts'
import { withoutBlindRemovals } from '../../../src/domain/without-blind-removals.ts'

test.each<[what: string, given: ImportLine['status'][], shown: ImportLine['status'][]]>([
  ['a text with something new', ['added', 'removed'], ['added', 'removed']],
  ['a text with something that is there already', ['invalid', 'unchanged', 'removed'], ['invalid', 'unchanged', 'removed']],
  ['a text of mistakes', ['invalid', 'removed', 'removed'], ['invalid']],
  ['an empty text', ['removed'], []],
])('%s: %j is shown as %j', (_what, given, shown) => {
  expect(withoutBlindRemovals(given.map((status) => ({ status }))).map(({ status }) => status)).toEqual(shown)
})
