import type { Operation, Change } from '../../electron/queue/entry.ts'
import type { SealedValue } from '../../electron/queue/fields.ts'

/** A queued update of one variable of one environment, with `parts` changed. */
export const aChange = (parts: Partial<Change> = {}): Change => ({
  seq: 1,
  id: `change-${parts.seq ?? 1}`,
  kind: 'update',
  rowKind: 'variable',
  rowId: 'row',
  ancestors: ['env', 'project'],
  remoteId: parts.kind === 'create' ? 'remote' : null,
  leaves: [],
  seen: null,
  patch: {},
  base: {},
  state: 'queued',
  attempts: 0,
  nextAttemptAt: null,
  reason: null,
  conflict: null,
  createdAt: 0,
  ...parts,
})

/** A sealed value as a merge sees it: `text` stands for the plaintext, `iv` makes other bytes of the same text. */
export const sealed = (text: string, iv = 1): SealedValue => ({ sealed: `v1:${text}#${iv}`, tag: `tag(${text})`, keyId: 'k' })

/** A queued operation with `parts` changed: a snapshot of the environment of `aChange` unless `parts` say another kind. */
export const anOperation = (parts: Partial<Operation> = {}): Operation =>
  ({
    seq: 1,
    id: `operation-${parts.seq ?? 1}`,
    kind: 'snapshot',
    rowKind: 'version',
    rowId: 'version',
    ancestors: parts.rowKind === 'member' ? [] : ['env', 'project'],
    detail: { remoteId: 'remote version' },
    state: 'queued',
    attempts: 0,
    nextAttemptAt: null,
    reason: null,
    conflict: null,
    createdAt: 0,
    ...parts,
    // What a kind says of its detail is the caller's to get right.
  }) as Operation
