import { numberText } from './number-text.ts'
import type { CompareCell, CompareEnvironment } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

/** The counts below the name of an environment, in a few words; missing ones are separate, because they can be filled. */
export const countWords = ({ missing, empty, different }: Pick<CompareEnvironment, 'missing' | 'empty' | 'different'>) => {
  const others = [empty > 0 ? `${numberText(empty)} empty` : '', different > 0 ? counted(different, 'differs', 'differ') : '']
  const rest = others.filter((part) => part !== '').join(' · ')
  return { missing: missing === 0 ? '' : `${numberText(missing)} missing`, rest: missing + empty + different === 0 ? 'identical' : rest }
}

const stateWords: { readonly [S in CompareCell['state']]: string } = {
  missing: 'missing',
  empty: 'empty',
  same: 'the most common value',
  different: 'different',
  unknown: 'can’t be compared without its key',
}

/** A cell's state in words, as its mark shows it. `mark`: which other cells have the same value. `isOnly`: all others are missing. */
export const cellWords = (cell: Pick<CompareCell, 'state'>, mark: number | null, isOnly: boolean): string => {
  if (isOnly && cell.state === 'same') return 'exists only here'
  return mark === null || mark < 2 ? stateWords[cell.state] : `${stateWords[cell.state]}, value ${mark}`
}
