import type { ConflictRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { relativeTime } from './relative-time.ts'

type Told = Pick<ConflictRow, 'kind' | 'subject' | 'name' | 'remoteBy' | 'remoteAt' | 'news' | 'fields'>

/** Who changed a record elsewhere and when, as far as the service says: `Ada 5 minutes ago`. */
export const remoteAuthorWords = ({ remoteBy, remoteAt }: Pick<Told, 'remoteBy' | 'remoteAt'>, now: number): string =>
  [remoteBy ?? 'Someone else', remoteAt === null ? '' : relativeTime(remoteAt, now)].filter((part) => part !== '').join(' ')

const unsentOf = ({ news }: Told): string =>
  news === null || news.unsent === 0
    ? ''
    : ` ${counted(news.unsent, 'unsent change')} of yours would be deleted with it and kept in the value history.`

/** What happened, in one or two sentences, and the labels of the two buttons that resolve it. */
export const conflictWords = (conflict: Told, now: number): { story: string; mine: string; theirs: string } => {
  const who = conflict.remoteBy ?? 'Someone else'
  const when = conflict.remoteAt === null ? '' : ` ${relativeTime(conflict.remoteAt, now)}`
  switch (conflict.kind) {
    case 'fields':
      return { story: `${who} changed this${when}. You changed it too.`, mine: 'Keep mine', theirs: 'Take theirs' }
    case 'deleted-remotely':
      if (conflict.subject === 'project' || conflict.subject === 'environment')
        return { story: `${who} deleted this${when}. You changed something in it here.`, mine: 'Restore it', theirs: 'Delete it' }
      return { story: `${who} deleted this${when}. You changed it here.`, mine: 'Create it again', theirs: 'Delete it' }
    case 'changed-remotely':
      return { story: `${who} changed this${when}. You deleted it here.`, mine: 'Delete it', theirs: 'Keep theirs' }
    case 'name-taken':
      if (conflict.subject === 'member')
        return {
          story: `${conflict.name} is already a member or invited, with another role.`,
          mine: 'Give my role',
          theirs: 'Keep their role',
        }
      // Nothing is known of the other one, so that nothing can be decided about it here.
      if (conflict.fields.every(({ theirs }) => theirs.state === 'absent'))
        return {
          story: `There’s already another ${conflict.subject} named ${conflict.name}. Choose another name, or rename or delete the other one and try again.`,
          mine: 'Try again',
          theirs: conflict.fields.some(({ field }) => field === 'parent') ? 'Discard move' : 'Discard mine',
        }
      return {
        story: `${who} created another ${conflict.subject} named ${conflict.name}.`,
        mine: 'Keep mine, replace theirs',
        theirs: 'Take theirs',
      }
    case 'changed-below':
      return {
        story: `After you deleted this here, ${conflict.news?.words ?? 'something was changed'} in it on the service. It wasn’t deleted there.${unsentOf(conflict)}`,
        mine: 'Delete it anyway',
        theirs: 'Keep it',
      }
    case 'stale-rollback':
      return {
        story: 'The environment has changed since you previewed this rollback. Nothing was rolled back.',
        mine: 'Roll back anyway',
        theirs: 'Cancel rollback',
      }
  }
}
