import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Push } from '../../../electron/bridge/contract.ts'
import { draftsOf, restoreDrafts } from '../../../src/features/variables/drafts.svelte.ts'

const kept = (name: string) => JSON.stringify({ edit: null, addition: { name, value: 'half' }, waiting: [], text: null })

/** A bridge whose reads of drafts answer in turn, and what pushes a table on it. */
function answering(...answers: ({ placeId: string; draft: string }[] | null)[]) {
  const listeners = new Set<(push: Push) => void>()
  const command = async () => {
    const value = answers.shift()
    return value == null ? { ok: false, error: { kind: 'keychain-cancelled', message: '' } } : { ok: true, value }
  }
  const onPush = (listener: (push: Push) => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  const push = (table: Push['tables'][number]) => {
    for (const listener of listeners) listener({ push: 'changed', workspaceId: null, tables: [table] })
  }
  return { bridge: { command, onPush } as unknown as Bridge, push }
}

test('what was kept and could not be read is restored once the keys have changed', async () => {
  const { bridge, push } = answering(null, null, [{ placeId: 'late', draft: kept('HALF') }])
  expect(await restoreDrafts(bridge, 'one')).toMatchObject({ ok: false, error: { kind: 'keychain-cancelled' } })
  push('app')
  push('variables')
  expect((await restoreDrafts(bridge, 'one')).ok).toBe(false)
  expect(draftsOf('late').addition.name).toBe('')
  push('app')
  expect((await restoreDrafts(bridge, 'one')).ok).toBe(true)
  expect(draftsOf('late').addition.name).toBe('HALF')
})

test('kept drafts are restored once, however often that is requested', async () => {
  const { bridge } = answering([{ placeId: 'once', draft: kept('HALF') }], [{ placeId: 'once', draft: kept('HALF') }])
  await Promise.all([restoreDrafts(bridge, 'three'), restoreDrafts(bridge, 'three')])
  await restoreDrafts(bridge, 'three')
  expect([draftsOf('once').addition.name, draftsOf('once').waiting]).toEqual(['HALF', []])
})

test('what was typed before it could be read stays, and what was kept waits behind it', async () => {
  const drafts = draftsOf('typed')
  drafts.addition.name = 'NEWER'
  await restoreDrafts(answering([{ placeId: 'typed', draft: kept('HALF') }]).bridge, 'two')
  expect(drafts.addition.name).toBe('NEWER')
  drafts.takeAddition()
  drafts.fillLine()
  expect(drafts.addition.name).toBe('HALF')
})
