import type { ConflictRow, QueueRow } from '../../electron/bridge/rows.ts'
import { counted } from './counted.ts'
import { relativeTime } from './relative-time.ts'

type Told = Pick<ConflictRow, 'kind' | 'subject' | 'name' | 'remoteBy' | 'remoteAt' | 'news' | 'fields'>

/** Who changed or deleted a record elsewhere and when, as far as the service says: `Ada 5 minutes ago`, `deleted by Ada`. */
export const contestWords = (
  { conflict, remoteBy, remoteAt }: Pick<QueueRow, 'conflict' | 'remoteBy' | 'remoteAt'>,
  now: number,
): string => {
  // The other record has the name: who changed this one, and when, says nothing.
  if (conflict === 'name-taken') return 'the name is taken'
  const who = conflict === 'deleted-remotely' ? `deleted by ${remoteBy ?? 'someone else'}` : (remoteBy ?? 'Someone else')
  return [who, remoteAt === null ? '' : relativeTime(remoteAt, now)].filter((part) => part !== '').join(' ')
}

/** The unsent changes in the project or environment that a change of the queue is about. */
export const unsentBelow = (queue: readonly QueueRow[], changeId: string): QueueRow[] => {
  const top = queue.find((row) => row.changeId === changeId)
  const place = top?.subject === 'project' ? 'projectId' : top?.subject === 'environment' ? 'environmentId' : null
  return top === undefined || place === null ? [] : queue.filter((row) => row.changeId !== changeId && row.at[place] === top.at[place])
}

const list = new Intl.ListFormat('en-US', { type: 'conjunction' })
/** Most names in a sentence; more are counted. */
const mostNames = 3

/** What the user did in a place, as a sentence: `You changed S1 and added S2.` Null: nothing that is still unsent. */
export const unsentBelowWords = (below: readonly Pick<QueueRow, 'kind' | 'subject' | 'name'>[]): string | null => {
  const parts = [
    { did: 'changed', kind: 'update' },
    { did: 'added', kind: 'create' },
    { did: 'deleted', kind: 'delete' },
  ].flatMap(({ did, kind }) => {
    const names = below.filter((row) => row.kind === kind).map(({ name }) => name)
    const isVariables = below.every((row) => row.kind !== kind || row.subject === 'variable')
    const what = names.length <= mostNames ? list.format(names) : counted(names.length, isVariables ? 'variable' : 'record')
    return names.length === 0 ? [] : [`${did} ${what}`]
  })
  return parts.length === 0 ? null : `You ${list.format(parts)}.`
}

const unsentOf = ({ news }: Told): string =>
  news === null || news.unsent === 0
    ? ''
    : ` Deleting it also discards ${counted(news.unsent, 'unsent change')} of yours in it; the values stay in the value history.`

/** Whether a name is taken by a record of which nothing more is known: the only ways are another name, or to change that record. */
export const isNameAlone = ({ kind, subject, fields }: Told): boolean =>
  kind === 'name-taken' && subject !== 'member' && fields.every(({ theirs }) => theirs.state === 'absent')

/** The label of the button that gives up a name that is taken. */
const giveUpNameWords = ({ fields }: Told): string => {
  if (fields.some(({ field }) => field === 'parent')) return 'Discard move'
  const was = fields.find(({ field }) => field === 'name')?.was
  return was?.state === 'shown' ? `Keep the name ${was.text}` : 'Discard mine'
}

/**
 * What happened, in one or two sentences, and the labels of the two buttons that resolve it. `below`: what its user did in the project or
 * environment in question, as a sentence. `mayRestore`: whether the service lets the user restore it.
 */
export const conflictWords = (
  conflict: Told,
  now: number,
  { below = null, mayRestore = true }: { below?: string | null; mayRestore?: boolean } = {},
): { story: string; mine: string; theirs: string } => {
  const who = conflict.remoteBy ?? 'Someone else'
  const when = conflict.remoteAt === null ? '' : ` ${relativeTime(conflict.remoteAt, now)}`
  switch (conflict.kind) {
    case 'fields':
      return { story: `${who} changed this${when}. You changed it too.`, mine: 'Keep mine', theirs: 'Take theirs' }
    case 'deleted-remotely':
      if (conflict.subject === 'project' || conflict.subject === 'environment')
        return {
          story: `${who} deleted this${when}. ${below ?? 'You changed something in it here.'}`,
          mine: mayRestore ? 'Restore it' : 'Create it again',
          theirs: 'Delete it',
        }
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
      // Nothing is known about the other record, so it can't be changed from here.
      if (isNameAlone(conflict))
        return {
          story: `There’s already another ${conflict.subject} named ${conflict.name}${conflict.remoteBy === null ? '' : `, last changed by ${conflict.remoteBy}${when}`}. Choose another name, or rename or delete the other one and try again.`,
          mine: 'Try again',
          theirs: giveUpNameWords(conflict),
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

/** What was decided, said once it is done. `restored`: by the service, as it was. */
export const decidedWords = (conflict: Told, take: 'mine' | 'theirs' | 'edit', restored: boolean): string => {
  const { kind, name } = conflict
  if (take === 'edit') return `Saved your change to ${name}`
  const isMine = take === 'mine'
  switch (kind) {
    case 'deleted-remotely':
      if (!isMine) return `Deleted ${name}`
      return restored ? `Restored ${name}` : `Created ${name} again`
    case 'changed-remotely':
      return isMine ? `Deleted ${name}` : `Kept ${name} as they changed it`
    case 'changed-below':
      return isMine ? `Deleted ${name}` : `Kept ${name}`
    case 'stale-rollback':
      return isMine ? `Rolling back to ${name}` : `Canceled the rollback to ${name}`
    case 'name-taken':
      if (isNameAlone(conflict)) return isMine ? `Trying ${name} again` : `Discarded your change to ${name}`
      return isMine ? `Kept your change to ${name}` : `Took their change to ${name}`
    case 'fields':
      return isMine ? `Kept your change to ${name}` : `Took their change to ${name}`
  }
}
