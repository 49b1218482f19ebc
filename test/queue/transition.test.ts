import { describe, expect, test } from 'vitest'
import type { Change, Conflict, EntryState, Operation } from '../../electron/queue/entry.ts'
import { transition, type EntryEvent } from '../../electron/queue/transition.ts'
import { aChange, anOperation, sealed } from './a-change.ts'

const states = ['queued', 'sending', 'blocked', 'conflict', 'failed'] as const
type After = EntryState | 'left' | 'forbidden'

const conflict: Conflict = { kind: 'fields', remote: { name: 'R' }, by: 'ada' }
const counts = { added: 1, updated: 0, removed: 0 }
const patch = { name: 'NEW' }

/** What each event makes of an entry in each state, in the order of `states`. */
const cells: { event: EntryEvent; after: readonly [After, After, After, After, After] }[] = [
  { event: { is: 'send' }, after: ['sending', 'forbidden', 'forbidden', 'forbidden', 'forbidden'] },
  { event: { is: 'done', said: counts }, after: ['forbidden', 'sending', 'forbidden', 'forbidden', 'forbidden'] },
  { event: { is: 'confirm' }, after: ['left', 'left', 'left', 'left', 'left'] },
  {
    event: { is: 'unsent', nextAttemptAt: 5, reason: 'No network.' },
    after: ['forbidden', 'queued', 'forbidden', 'forbidden', 'forbidden'],
  },
  {
    event: { is: 'unanswered', nextAttemptAt: 5, reason: 'No answer.' },
    after: ['forbidden', 'sending', 'forbidden', 'forbidden', 'forbidden'],
  },
  { event: { is: 'delay', nextAttemptAt: 5, reason: 'Busy.' }, after: ['queued', 'queued', 'forbidden', 'forbidden', 'forbidden'] },
  { event: { is: 'reject', reason: 'No.' }, after: ['failed', 'failed', 'failed', 'failed', 'failed'] },
  { event: { is: 'reject', reason: 'No.', id: 'new' }, after: ['failed', 'failed', 'failed', 'failed', 'failed'] },
  { event: { is: 'block', reason: 'Cannot.' }, after: ['blocked', 'blocked', 'blocked', 'forbidden', 'forbidden'] },
  { event: { is: 'unblock', id: 'new' }, after: ['forbidden', 'forbidden', 'queued', 'forbidden', 'forbidden'] },
  { event: { is: 'park', conflict, reason: 'Choose.' }, after: ['conflict', 'conflict', 'conflict', 'conflict', 'conflict'] },
  { event: { is: 'rebase', id: 'new', patch }, after: ['queued', 'queued', 'blocked', 'queued', 'failed'] },
  { event: { is: 'amend', id: 'new', patch }, after: ['queued', 'forbidden', 'blocked', 'conflict', 'queued'] },
  { event: { is: 'revise', id: 'new', patch }, after: ['queued', 'forbidden', 'blocked', 'conflict', 'failed'] },
  { event: { is: 'retry', id: 'new' }, after: ['queued', 'sending', 'queued', 'queued', 'sending'] },
  {
    event: { is: 'recreate', id: 'new', remoteId: 'another', conflict: null, reason: null, patch },
    after: ['queued', 'queued', 'queued', 'queued', 'queued'],
  },
  {
    event: { is: 'recreate', id: 'new', remoteId: 'another', conflict, reason: 'Choose.', patch },
    after: ['conflict', 'conflict', 'conflict', 'conflict', 'conflict'],
  },
  {
    event: { is: 'bind', id: 'new', patch, conflict, reason: 'Choose.' },
    after: ['conflict', 'conflict', 'conflict', 'conflict', 'conflict'],
  },
  { event: { is: 'found', id: 'new', patch, base: { name: 'OLD' } }, after: ['queued', 'queued', 'queued', 'queued', 'queued'] },
  { event: { is: 'drop' }, after: ['left', 'forbidden', 'left', 'left', 'left'] },
]

/** The kind of entry that an event is about. */
const kindOf = (event: EntryEvent): Change['kind'] | 'rollback' =>
  event.is === 'done' ? 'rollback' : event.is === 'bind' || event.is === 'found' ? 'create' : 'update'

const rollback = (state: EntryState): Operation =>
  anOperation({
    kind: 'rollback',
    rowKind: 'version',
    detail: { label: '1', agreed: { counts, resealed: 0, fingerprint: 'f' } },
    state,
    attempts: 1,
  })

function inState(state: EntryState, event: EntryEvent) {
  const kind = kindOf(event)
  if (kind === 'rollback') return rollback(state)
  const asked = state === 'conflict' ? { conflict, reason: 'Choose.' } : {}
  return aChange({ id: 'old', kind, state, attempts: 1, patch: { name: 'MINE' }, ...asked })
}

describe('transition', () => {
  const table = cells.flatMap(({ event, after }) => states.map((state, at) => ({ event, state, after: after[at] ?? 'forbidden' })))
  test.each(table)('$event.is while $state: $after', ({ event, state, after }) => {
    const entry = inState(state, event)
    const go = () => transition(entry, event)
    if (after === 'forbidden') expect(go).toThrow(`Event ${event.is} cannot happen`)
    else expect(go()?.state ?? 'left').toBe(after)
  })

  test('every event is in the table, with every state', () => {
    const events: Record<EntryEvent['is'], true> = {
      send: true,
      done: true,
      confirm: true,
      unsent: true,
      unanswered: true,
      delay: true,
      reject: true,
      block: true,
      unblock: true,
      park: true,
      rebase: true,
      amend: true,
      revise: true,
      retry: true,
      recreate: true,
      bind: true,
      found: true,
      drop: true,
    }
    expect(new Set(cells.map(({ event }) => event.is))).toEqual(new Set(Object.keys(events)))
  })

  test.each(table.filter(({ after }) => after !== 'forbidden' && after !== 'left'))(
    '$event.is while $state gives an attempted entry a new id when its bytes change, and keeps it otherwise',
    ({ event, state }) => {
      const entry = inState(state, event)
      const after = transition(entry, event)
      const bytes = (one: typeof entry | null) => {
        if (one === null || !('patch' in one)) return one?.ancestors
        return [one.kind, one.patch, one.base, one.ancestors, one.leaves, one.remoteId]
      }
      if (JSON.stringify(bytes(after)) !== JSON.stringify(bytes(entry))) expect(after?.id).toBe('new')
      if (after?.state === 'sending') expect(after.id).toBe(entry.id)
    },
  )

  test('an entry that was never attempted keeps its id through every edit', () => {
    for (const is of ['rebase', 'amend', 'revise'] as const) {
      expect(transition(aChange({ id: 'old' }), { is, id: 'new', patch })).toMatchObject({ id: 'old', patch })
    }
  })

  test('a request counts as an attempt until it is known that nothing was sent', () => {
    const sending = transition(aChange(), { is: 'send' })
    expect(sending).toMatchObject({ state: 'sending', attempts: 1 })
    if (sending === null) return
    expect(transition(sending, { is: 'unsent', nextAttemptAt: 7, reason: 'Offline.' })).toMatchObject({
      state: 'queued',
      attempts: 0,
      nextAttemptAt: 7,
      reason: 'Offline.',
    })
    expect(transition(sending, { is: 'delay', nextAttemptAt: 7, reason: null })).toMatchObject({ state: 'queued', attempts: 1 })
    expect(transition(sending, { is: 'unanswered', nextAttemptAt: 7, reason: 'Lost.' })).toMatchObject({ state: 'sending', attempts: 2 })
  })

  test('a retry while it is being sent only hastens the reconciling', () => {
    const sending = aChange({ state: 'sending', attempts: 1, nextAttemptAt: 99, id: 'old' })
    expect(transition(sending, { is: 'retry', id: 'new' })).toMatchObject({ id: 'old', attempts: 1, nextAttemptAt: null })
  })

  test('a deletion that is sent again knows what its user has seen by then', () => {
    const parked = aChange({ kind: 'delete', rowKind: 'environment', seen: 3, state: 'conflict', attempts: 1, conflict })
    expect(transition(parked, { is: 'retry', id: 'new', seen: 9 })).toMatchObject({ seen: 9, conflict: null, id: 'new' })
    expect(transition(parked, { is: 'retry', id: 'new' })).toMatchObject({ seen: 3 })
  })

  test('what is recreated is a create of another remote id, without the move it may have been', () => {
    const move = aChange({ patch: { parent: 'other' }, leaves: ['env', 'project'] })
    const event: EntryEvent = {
      is: 'recreate',
      id: 'new',
      remoteId: 'another',
      conflict,
      reason: 'Deleted.',
      patch: { value: sealed('1') },
    }
    expect(transition(move, event)).toMatchObject({ kind: 'create', remoteId: 'another', leaves: [], conflict, reason: 'Deleted.' })
  })

  test.each<{ says: string; entry: Change; event: EntryEvent }>([
    {
      says: 'a deletion is not recreated',
      entry: aChange({ kind: 'delete' }),
      event: { is: 'recreate', id: 'n', remoteId: 'r', conflict: null, reason: null },
    },
    { says: 'an update is not bound', entry: aChange(), event: { is: 'bind', id: 'n', patch, conflict, reason: '' } },
    { says: 'an update is not found again', entry: aChange(), event: { is: 'found', id: 'n', patch, base: {} } },
    { says: 'a change is not done by halves', entry: aChange({ state: 'sending' }), event: { is: 'done', said: counts } },
  ])('$says', ({ entry, event }) => {
    expect(() => transition(entry, event)).toThrow('cannot happen')
  })

  test('an operation that is amended or parked says what it met', () => {
    const invite = anOperation({ kind: 'invite', rowKind: 'member', detail: { email: 'a@b.c', roleId: 'x' } })
    const detail = { email: 'a@b.c', roleId: 'y' }
    expect(transition(invite, { is: 'amend', id: 'n', detail })).toMatchObject({ detail })
    expect(transition(invite, { is: 'park', conflict, reason: 'Met.', detail: { ...detail, remote: 'z' } })).toMatchObject({
      detail: { remote: 'z' },
      conflict,
    })
  })
})

test.each(['create', 'update', 'delete'] as const)(
  'a %s that was surely refused is sent again on a retry; one that may have been done is the same request, and reconciled first',
  (kind) => {
    const sent = aChange({ id: 'old', kind, state: 'sending', attempts: 2 })
    const refused = transition(sent, { is: 'reject', reason: 'No.', id: 'new' })
    expect(refused).toMatchObject({ id: 'new', attempts: 0, state: 'failed' })
    expect(refused && transition(refused, { is: 'retry', id: 'newer' })).toMatchObject({ id: 'new', attempts: 0, state: 'queued' })
    const unknown = transition(sent, { is: 'reject', reason: 'No.' })
    expect(unknown).toMatchObject({ id: 'old', attempts: 2, state: 'failed' })
    expect(unknown && transition(unknown, { is: 'retry', id: 'new' })).toMatchObject({ id: 'old', attempts: 1, state: 'sending' })
  },
)
