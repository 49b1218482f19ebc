import { expect, test } from 'vitest'
import { coveredBy } from '../../electron/queue/covered-by.ts'
import { aChange, sealed } from './a-change.ts'

const rename = aChange({ patch: { name: 'B' }, base: { name: 'A', value: sealed('theirs') } })
const edit = aChange({ seq: 2, patch: { value: sealed('mine') }, base: { name: 'B', value: sealed('one') } })
const again = aChange({ seq: 3, patch: { value: sealed('newer') }, base: { name: 'B', value: sealed('mine') } })

test.each([
  { says: 'nothing is covered by no change', changes: [], covered: {} },
  { says: 'a field that no change sets is not covered', changes: [rename], covered: { name: 'A' } },
  {
    says: 'a value is what the first change that sets it was made on, whatever an earlier one was moved onto since',
    changes: [rename, edit, again],
    covered: { name: 'A', value: sealed('one') },
  },
  {
    says: 'a field that was not known is covered all the same',
    changes: [aChange({ patch: { type: 'number' } })],
    covered: { type: undefined },
  },
  {
    says: 'a value that is only sealed anew covers nothing',
    changes: [aChange({ patch: { value: { ...sealed('theirs'), reseal: true } }, base: { value: sealed('theirs') } }), edit],
    covered: { value: sealed('one') },
  },
  {
    says: 'of a row met under its name it is what was shown',
    changes: [aChange({ patch: { value: sealed('mine') }, base: null })],
    covered: { value: sealed('shown') },
  },
])('$says', ({ changes, covered }) => {
  expect(coveredBy(changes, { value: sealed('shown') })).toStrictEqual(covered)
})
