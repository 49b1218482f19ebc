import { expect, test } from 'vitest'
import type { Entry } from '../../../electron/queue/entry.ts'
import { transition, type EntryEvent } from '../../../electron/queue/transition.ts'
import { startEntry, type StartFacts } from '../../../electron/sync/plan/start-entry.ts'
import { aChange, anOperation } from '../../queue/a-change.ts'

const usual: StartFacts = { hasNews: false, limit: null, parent: 'known', isUnguarded: false, now: 1000, newId: () => 'new' }
const edit = aChange()
const deletion = aChange({ kind: 'delete' })
const deletedParent = aChange({ kind: 'delete', rowKind: 'environment', ancestors: ['project'], seen: 3 })
const snapshot = anOperation()
const rollback = anOperation({ kind: 'rollback' })

const parked: Partial<EntryEvent> = { is: 'park', conflict: { kind: 'changed-below', remote: null, by: null } }
const delayed: Partial<EntryEvent> = { is: 'delay', nextAttemptAt: 16_000 }

test.each<{ says: string; entry: Entry; facts?: Partial<StartFacts>; event: Partial<EntryEvent> | null }>([
  { says: 'an edit is sent', entry: edit, event: { is: 'send' } },
  { says: 'a snapshot is sent', entry: snapshot, event: { is: 'send' } },
  { says: 'a rollback is sent', entry: rollback, event: { is: 'send' } },
  { says: 'the deletion of an environment is sent', entry: deletedParent, event: { is: 'send' } },
  {
    says: 'the deletion of an environment asks about what others changed in it',
    entry: deletedParent,
    facts: { hasNews: true },
    event: parked,
  },
  {
    says: 'and asks before it is blocked',
    entry: deletedParent,
    facts: { hasNews: true, limit: 'It can’t.' },
    event: parked,
  },
  { says: 'the deletion of a variable has nothing below it', entry: deletion, facts: { hasNews: true }, event: { is: 'send' } },
  {
    says: 'one that the service can’t take is blocked',
    entry: edit,
    facts: { limit: 'It can’t.' },
    event: { is: 'block', reason: 'It can’t.' },
  },
  {
    says: 'one whose parent others deleted is rejected',
    entry: edit,
    facts: { parent: 'deleted' },
    event: { is: 'reject', reason: expect.stringContaining('no longer exists') },
  },
  { says: 'one whose parent is created again keeps its place', entry: edit, facts: { parent: 'queued' }, event: null },
  { says: 'one whose parent was not read yet waits', entry: edit, facts: { parent: 'unread' }, event: delayed },
  {
    says: 'the deletion of an environment waits while nothing tells what was seen',
    entry: deletedParent,
    facts: { isUnguarded: true },
    event: delayed,
  },
  { says: 'a rollback waits while nothing tells what was seen', entry: rollback, facts: { isUnguarded: true }, event: delayed },
  { says: 'the deletion of a variable does not', entry: deletion, facts: { isUnguarded: true }, event: { is: 'send' } },
  { says: 'a snapshot does not', entry: snapshot, facts: { isUnguarded: true }, event: { is: 'send' } },
])('$says', ({ entry, facts, event }) => {
  const decided = startEntry(entry, { ...usual, ...facts })
  if (event === null) return expect(decided).toBeNull()
  expect(decided).toMatchObject(event)
  // The state machine allows every decision for a queued entry.
  if (decided !== null) expect(transition(entry, decided)).not.toBeNull()
})
