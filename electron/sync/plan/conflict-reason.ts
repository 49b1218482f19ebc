import type { ConflictKind } from '../../queue/entry.ts'

const sentences: Record<ConflictKind, string> = {
  fields: 'Someone changed the same field. Choose which one to keep.',
  'deleted-remotely': 'Someone deleted it. Choose whether to create it again.',
  'changed-remotely': 'Someone changed it after you deleted it. Choose which one to keep.',
  'name-taken': 'The name is already used on the service. Choose which one to keep, or another name.',
  'changed-below': 'Someone changed something in it after you deleted it. Review what’s new, then decide again.',
  'stale-rollback': 'The environment is no longer what the preview showed. Check the new preview, then decide again.',
}

/** Why an entry in conflict waits, as one sentence for the user. */
export const conflictReason = (kind: ConflictKind): string => sentences[kind]
