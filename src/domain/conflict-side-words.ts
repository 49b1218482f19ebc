import type { ConflictSide } from '../../electron/bridge/rows.ts'

/** The text of one side of a conflict, or words in its place. */
export const conflictSideWords = (side: ConflictSide): string => {
  switch (side.state) {
    case 'shown':
      return side.text
    case 'masked':
      return '••••••••'
    case 'absent':
      return 'missing'
    case 'unverified':
      return 'Unverified'
    case 'unreadable':
      return 'can’t be read'
  }
}
