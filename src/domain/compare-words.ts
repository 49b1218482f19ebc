import { numberText } from './number-text.ts'
import type { CompareCell, CompareEnvironment } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { markName } from './mark-name.ts'

/** The counts below the name of an environment, in a few words. */
export const countWords = ({ missing, empty, different }: Pick<CompareEnvironment, 'missing' | 'empty' | 'different'>): string => {
  const parts = [
    missing > 0 ? `${numberText(missing)} missing` : '',
    empty > 0 ? `${numberText(empty)} empty` : '',
    different > 0 ? counted(different, 'differs', 'differ') : '',
  ].filter((part) => part !== '')
  return parts.length === 0 ? 'identical' : parts.join(' · ')
}

const stateWords: { readonly [S in CompareCell['state']]: string } = {
  missing: 'missing',
  empty: 'empty',
  same: 'the most common value',
  different: 'different',
  unknown: 'can’t be compared without its key',
}

/** What a cell's state says to somebody who hears it; `mark` tells which other cells it agrees with, `isOnly` that all others are missing. */
export const cellWords = (cell: Pick<CompareCell, 'state'>, mark: number | null, isOnly: boolean): string =>
  isOnly && cell.state === 'same'
    ? 'exists only here'
    : mark === null
      ? stateWords[cell.state]
      : `${stateWords[cell.state]}, value ${markName(mark)}`
