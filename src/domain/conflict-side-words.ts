import type { ConflictSide } from '../../electron/bridge/rows.ts'

/** What one side of a conflict shows in place of its text, or the text. */
export const conflictSideWords = (side: ConflictSide): string => {
  switch (side.state) {
    case 'shown':
      return side.text ?? ''
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
