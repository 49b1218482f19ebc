import type { TrackedNameRow, RefusedName } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'

const words: { readonly [S in TrackedNameRow['state']]: string | null } = {
  waiting: 'Not checked yet',
  there: null,
  missing: 'Not found on the service',
  refused: 'This API key can’t read it',
}

/** The problem of one tracked name; null when all is well. */
export const trackedWords = ({ state }: Pick<TrackedNameRow, 'state'>): string | null => words[state]

/** The result of tracking some names, as one line. */
export function trackingOutcome({ added, already, refused }: { added: number; already: number; refused: readonly RefusedName[] }): string {
  const first = refused[0]
  const parts = [
    added > 0 ? `Now tracking ${counted(added, 'more name')}.` : already > 0 ? 'Already tracked.' : 'No new names.',
    ...(first === undefined
      ? []
      : [`Not tracked: ${first.name}${refused.length > 1 ? ` and ${refused.length - 1} more` : ''}. ${first.reason}`]),
  ]
  return parts.join(' ')
}
