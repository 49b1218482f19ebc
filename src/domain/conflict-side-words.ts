import type { ConflictKind, ConflictSide } from '../../electron/bridge/rows.ts'
import { visibleText } from './invisible-character.ts'

/** Which side of a conflict has deleted the row. */
const deletedSide: { readonly [K in ConflictKind]?: 'mine' | 'theirs' } = { 'deleted-remotely': 'theirs', 'changed-remotely': 'mine' }

/** What is shown of a side without the field: `deleted` when it has deleted the row, `taken` for a name that another record has. */
export const absentWords = (kind: ConflictKind, side: 'was' | 'mine' | 'theirs'): string =>
  deletedSide[kind] === side ? 'deleted' : kind === 'name-taken' && side === 'theirs' ? 'taken' : 'missing'

/** The text of one side of a conflict, or words in its place. */
export const conflictSideWords = (side: ConflictSide, absent = 'missing'): string => {
  switch (side.state) {
    case 'shown':
      return visibleText(side.text)
    case 'masked':
      return '••••••••'
    case 'absent':
      return absent
    case 'unverified':
      return 'Unverified'
    case 'unreadable':
      return 'can’t be read'
  }
}
