import type { FollowedRow, RefusedName } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

const words: { readonly [S in FollowedRow['state']]: string | null } = {
  waiting: 'Not looked for yet',
  there: null,
  missing: 'Not on the server',
  refused: 'This API key may not read it',
}

/** What there is to tell of one followed name; null when all is well. */
export const followedWords = ({ state }: Pick<FollowedRow, 'state'>): string | null => words[state]

/** What came of following some names, in a line. */
export function followOutcome({ added, already, refused }: { added: number; already: number; refused: readonly RefusedName[] }): string {
  const first = refused[0]
  const parts = [
    added > 0 ? `Follows ${counted(added, 'more name')}.` : already > 0 ? 'Followed already.' : 'Nothing new to follow.',
    ...(first === undefined
      ? []
      : [`Not followed: ${first.name}${refused.length > 1 ? ` and ${refused.length - 1} more` : ''}. ${first.reason}`]),
  ]
  return parts.join(' ')
}
