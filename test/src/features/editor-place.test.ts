import { expect, test } from 'vitest'
import { newEdit } from '../../../src/features/variables/drafts.svelte.ts'
import { editorPlace } from '../../../src/features/variables/editor-place.ts'
import { aVariableRow } from '../support/a-variable-row.ts'

test.each([
  { what: 'of a row that is shown is over it', was: 7, total: 10, own: 4, index: 4, isAstray: false },
  { what: 'of a row that scrolled away stays where its row was', was: 400, total: 1000, own: null, index: 400, isAstray: false },
  { what: 'waits for the rows where its own was', was: 7, total: undefined, own: null, index: 7, isAstray: false },
  { what: 'of a row that was deleted stays where its row was', was: 7, total: 10, own: null, index: 7, isAstray: true },
  { what: 'of a deleted last row stays where its row was', was: 10, total: 10, own: null, index: 10, isAstray: true },
  { what: 'is below the rows that a filter leaves', was: 7, total: 3, own: null, index: 3, isAstray: true },
  { what: 'of the first row leaves the one that a filter found visible', was: 0, total: 3, own: null, index: 1, isAstray: true },
  { what: 'is the only thing in a table that a filter has emptied', was: 7, total: 0, own: null, index: 0, isAstray: true },
])('an editor $what', ({ was, total, own, index, isAstray }) => {
  const edit = newEdit(aVariableRow(), was, 'value', 'live')
  expect(editorPlace(edit, { total, own, isLoaded: (at) => at < 40 })).toEqual({ index, isAstray })
})
