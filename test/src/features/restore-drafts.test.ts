import { expect, test } from 'vitest'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import { draftsOf, restoreDrafts } from '../../../src/features/variables/drafts.svelte.ts'

const kept = (name: string) => JSON.stringify({ edit: null, addition: { name, value: 'half' }, waiting: [], text: null })

/** A bridge whose reads of drafts answer in turn. */
function answering(...answers: ({ placeId: string; draft: string }[] | null)[]): Bridge {
  const query = async () => {
    const value = answers.shift()
    return value == null ? { ok: false, error: { kind: 'damaged', message: '' } } : { ok: true, value }
  }
  return { query } as unknown as Bridge
}

test('what was kept is restored at the next try when it could not be read at first', async () => {
  const bridge = answering(null, [{ placeId: 'late', draft: kept('HALF') }])
  await restoreDrafts(bridge, 'one')
  expect(draftsOf('late').addition.name).toBe('')
  await restoreDrafts(bridge, 'one')
  expect(draftsOf('late').addition.name).toBe('HALF')
})

test('what was typed before it could be read stays', async () => {
  draftsOf('typed').addition.name = 'NEWER'
  await restoreDrafts(answering([{ placeId: 'typed', draft: kept('HALF') }]), 'two')
  expect(draftsOf('typed').addition.name).toBe('NEWER')
})
