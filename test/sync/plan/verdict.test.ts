import { describe, expect, test } from 'vitest'
import { verdictOn, type SendFailure } from '../../../electron/sync/plan/verdict.ts'
import { aChange } from '../../queue/a-change.ts'

const table: { kind: SendFailure['kind']; does: string; because: string }[] = [
  { kind: 'offline', does: 'wait', because: 'nothing was sent' },
  { kind: 'busy', does: 'wait', because: 'the server asked for time' },
  { kind: 'redirected', does: 'wait', because: 'the address is wrong, not the change' },
  { kind: 'interrupted', does: 'look', because: 'the server may have acted' },
  { kind: 'timeout', does: 'look', because: 'the server may have acted' },
  { kind: 'cancelled', does: 'look', because: 'the server may have acted' },
  { kind: 'server-failed', does: 'look', because: 'the server may have acted' },
  { kind: 'not-a-service', does: 'look', because: 'a gateway may have spoken after the server acted' },
  { kind: 'stale', does: 'look', because: 'somebody wrote in between' },
  { kind: 'taken', does: 'look', because: 'the record may be ours' },
  { kind: 'missing', does: 'look', because: 'the record or its parent may be gone' },
  { kind: 'unauthorized', does: 'pause', because: 'the key is refused for everything' },
  { kind: 'no-route', does: 'block', because: 'this server has no way to take it' },
  { kind: 'refused', does: 'fail', because: 'the server will not take it as it is' },
  { kind: 'unsafe', does: 'fail', because: 'it could hit another record' },
  { kind: 'cursor-gone', does: 'fail', because: 'no write has a cursor' },
]

describe('a failed send', () => {
  test.each(table)('as $kind: $does, because $because', ({ kind, does }) => {
    expect(verdictOn(aChange({ kind: 'create' }), { kind, message: '' })).toEqual({ do: does })
  })

  test.each(['update', 'delete'] as const)('as taken is no question for an %s: the name is another record', (kind) => {
    expect(verdictOn(aChange({ kind }), { kind: 'taken', message: '' })).toEqual({ do: 'fail' })
  })

  test.each([
    { kind: 'snapshot', does: 'look', because: 'the version of that label may be ours' },
    { kind: 'invite', does: 'look', because: 'the invitation may be ours' },
    { kind: 'rollback', does: 'fail', because: 'it makes no record' },
    { kind: 'set-role', does: 'fail', because: 'it makes no record' },
    { kind: 'remove', does: 'fail', because: 'it makes no record' },
  ] as const)('as taken for $kind: $does, because $because', ({ kind, does }) => {
    expect(verdictOn({ kind }, { kind: 'taken', message: '' })).toEqual({ do: does })
  })

  test.each(['snapshot', 'rollback', 'invite', 'set-role', 'remove'] as const)(
    'of unknown outcome is looked at before %s is sent again',
    (kind) => {
      for (const unknown of ['interrupted', 'timeout', 'server-failed', 'cancelled', 'not-a-service'] as const) {
        expect(verdictOn({ kind }, { kind: unknown, message: '' })).toEqual({ do: 'look' })
      }
    },
  )
})
