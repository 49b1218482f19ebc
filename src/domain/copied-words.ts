import { counted } from './counted.ts'
import { numberText } from './number-text.ts'

interface Counts {
  /** Under names that were free. */
  copied: number
  skipped: number
  overwritten: number
}

/** What a copy or move to another environment did: `Moved 3 variables to Staging, overwriting 1 there, left out 1 that exists there …`. */
export const copiedWords = ({ copied, skipped, overwritten }: Counts, place: string, isMove: boolean): string => {
  const total = copied + overwritten
  const over = overwritten < total ? `${numberText(overwritten)} there` : total === 1 ? 'the one there' : 'those there'
  return [
    `${isMove ? 'Moved' : 'Copied'} ${counted(total, 'variable')} to ${place}`,
    ...(overwritten > 0 ? [`overwriting ${over}`] : []),
    ...(skipped > 0 ? [`left out ${numberText(skipped)} that ${whyLeftOut(skipped === 1, isMove)}`] : []),
  ].join(', ')
}

const whyLeftOut = (isOne: boolean, isMove: boolean): string => {
  const exists = isOne ? 'exists there' : 'exist there'
  return isMove ? `${exists} or changed meanwhile` : `${exists}, changed meanwhile or ${isOne ? 'is' : 'are'} Unverified`
}
