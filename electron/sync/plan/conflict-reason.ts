import type { ConflictKind } from '../../queue/entry.ts'

/** One sentence for the queue. */
export function conflictReason(kind: ConflictKind): string {
  switch (kind) {
    case 'fields':
      return 'Somebody changed the same field on the server. Choose which one to keep.'
    case 'deleted-remotely':
      return 'Somebody deleted it on the server. Choose whether to bring it back.'
    case 'changed-remotely':
      return 'Somebody changed it on the server after you deleted it. Choose which one to keep.'
    case 'name-taken':
      return 'The name is already used on the server. Choose which one to keep, or another name.'
    case 'stale-rollback':
      return 'The environment is not what the preview showed any more. Look at the new one, then decide again.'
  }
}
