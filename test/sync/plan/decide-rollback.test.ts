import { describe, expect, test } from 'vitest'
import type { Counts, EntryState, RollbackPreview, RollbackOperation } from '../../../electron/queue/entry.ts'
import { transition, type EntryEvent } from '../../../electron/queue/transition.ts'
import { afterUnread, decideRollback, type RollbackFacts } from '../../../electron/sync/plan/decide-rollback.ts'
import type { Failure } from '../../../electron/sync/port.ts'
import { anOperation } from '../../queue/a-change.ts'

const none: Counts = { added: 0, updated: 0, removed: 0 }
const some: Counts = { added: 1, updated: 2, removed: 3 }
const agreed: RollbackPreview = { counts: some, resealed: 0, fingerprint: 'as previewed' }
const changed: RollbackPreview = { counts: { ...some, removed: 4 }, resealed: 0, fingerprint: 'changed' }
const reached: RollbackPreview = { counts: none, resealed: 0, fingerprint: 'as the version' }

const facts: RollbackFacts = {
  environment: { remoteId: 'remote env' },
  version: { environmentRemoteId: 'remote env', isMirrored: true },
  now: agreed,
}

const aRollback = (state: EntryState, detail: Partial<RollbackOperation['detail']> = {}): RollbackOperation => {
  const made = anOperation({ kind: 'rollback', state, attempts: state === 'sending' ? 1 : 0, detail: { label: 'v1', agreed, ...detail } })
  if (made.kind !== 'rollback') throw new Error('no rollback')
  return made
}

const rejected = (text: string) => ({ do: 'advance', event: { is: 'reject', reason: expect.stringContaining(text) } })
const offered = (now: RollbackPreview) => ({
  do: 'advance',
  event: { is: 'park', conflict: { kind: 'stale-rollback' }, detail: { label: 'v1', agreed, offered: now } },
})

describe('a rollback whose environment was read', () => {
  test.each<{ says: string; state?: EntryState; said?: Counts; facts?: Partial<RollbackFacts>; decision: object }>([
    { says: 'is sent while the environment is as previewed', decision: { do: 'go' } },
    { says: 'asks again once others changed the environment', facts: { now: changed }, decision: offered(changed) },
    { says: 'is done where others already made the environment equal', facts: { now: reached }, decision: { do: 'end', apart: 0 } },
    {
      says: 'that does nothing is sent, because the preview said so',
      facts: { now: { ...agreed, counts: none } },
      decision: { do: 'go' },
    },
    {
      says: 'without an answer was done if the environment equals the version',
      state: 'sending',
      facts: { now: reached },
      decision: { do: 'end', apart: 0 },
    },
    {
      says: 'without an answer that does nothing was done',
      state: 'sending',
      facts: { now: { ...agreed, counts: none } },
      decision: { do: 'end', apart: 0 },
    },
    {
      says: 'without an answer is sent again if the environment is still as previewed',
      state: 'sending',
      decision: { do: 'advance', event: { is: 'delay', nextAttemptAt: null, reason: null } },
    },
    {
      says: 'without an answer asks again once others changed the environment',
      state: 'sending',
      facts: { now: changed },
      decision: offered(changed),
    },
    { says: 'that the service did ends', state: 'sending', said: some, facts: { now: reached }, decision: { do: 'end', apart: 0 } },
    {
      says: 'that the service did ends, with the variables that differ since',
      state: 'sending',
      said: some,
      facts: { now: changed },
      decision: { do: 'end', apart: 7 },
    },
    { says: 'of a deleted environment is rejected', facts: { environment: null }, decision: rejected('no longer exist') },
    { says: 'to a deleted version is rejected', facts: { version: null }, decision: rejected('This version no longer exists') },
    {
      says: 'to a version that could not be read is rejected',
      facts: { version: { environmentRemoteId: 'remote env', isMirrored: false } },
      decision: rejected('This version no longer exists'),
    },
    {
      says: 'to a version of another environment is rejected',
      facts: { version: { environmentRemoteId: 'other env', isMirrored: true } },
      decision: rejected('belongs to another environment'),
    },
    {
      says: 'of an environment that was deleted afterwards is rejected also after its answer',
      state: 'sending',
      said: some,
      facts: { environment: null },
      decision: rejected('no longer exist'),
    },
  ])('$says', ({ state = 'queued', said, facts: others, decision }) => {
    const rollback = aRollback(state, said && { said })
    const decided = decideRollback(rollback, { ...facts, ...others })
    expect(decided).toMatchObject(decision)
    if (decided.do === 'advance') expect(transition(rollback, decided.event)).toMatchObject({ kind: 'rollback' })
  })
})

describe('a rollback whose environment could not be read', () => {
  const failure = (kind: Failure['kind']): Failure => ({ kind, message: 'Not now.', retryAfterMs: null })
  test.each<{ says: string; state: EntryState; said?: Counts; kind: Failure['kind']; event: EntryEvent }>([
    {
      says: 'waits for the next try',
      state: 'queued',
      kind: 'failed',
      event: { is: 'delay', nextAttemptAt: 5000, reason: 'Not now.' },
    },
    {
      says: 'stays unanswered if it was sent',
      state: 'sending',
      kind: 'failed',
      event: { is: 'unanswered', nextAttemptAt: 5000, reason: 'Not now.' },
    },
    { says: 'is rejected where reading is refused', state: 'queued', kind: 'refused', event: { is: 'reject', reason: 'Not now.' } },
    {
      says: 'is rejected where reading is refused, also if it was sent',
      state: 'sending',
      kind: 'refused',
      event: { is: 'reject', reason: 'Not now.' },
    },
    {
      says: 'is not rejected any more once the service did it',
      state: 'sending',
      said: some,
      kind: 'refused',
      event: { is: 'unanswered', nextAttemptAt: 5000, reason: 'Not now.' },
    },
  ])('$says', ({ state, said, kind, event }) => {
    const rollback = aRollback(state, said && { said })
    const decided = afterUnread(rollback, failure(kind), 5000)
    expect(decided).toEqual(event)
    expect(transition(rollback, decided)).toMatchObject({ kind: 'rollback' })
  })
})
