import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { retryChange } from '../../../electron/app/queue/retry-change.ts'
import { checkRepairedValues } from '../../../electron/app/repair/check-repaired-values.ts'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import { err, ok, type Result } from '../../../electron/bridge/result.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../../electron/cipher/workspace-cipher.ts'
import { setState } from '../../../electron/mirror/workspace-state.ts'
import type { Mirror } from '../../../electron/mirror/mirror.ts'
import { allEntries, restoreEntry } from '../../../electron/mirror/queue-layer.ts'
import type { Change } from '../../../electron/queue/entry.ts'
import type { SealedValue } from '../../../electron/queue/fields.ts'
import { aChange } from '../../queue/a-change.ts'
import { newMirror } from '../../mirror/temp-file.ts'

const cipher = createWorkspaceCipher(randomBytes(32))

/** One letter of the ciphertext turned over: still well-formed, and of no text any more. */
const harmed = (value: SealedValue): SealedValue => {
  const at = value.sealed.length - 8
  return { ...value, sealed: `${value.sealed.slice(0, at)}${value.sealed[at] === 'A' ? 'B' : 'A'}${value.sealed.slice(at + 1)}` }
}
const whole = cipher.seal('whole')
const others = createWorkspaceCipher(randomBytes(32)).seal('of another key')

/** A mirror right after a repair, with `changes` in its queue. */
function repaired(changes: readonly Partial<Change>[]): Mirror {
  const mirror = newMirror()
  mirror.write((tx) => {
    for (const [n, parts] of changes.entries()) {
      restoreEntry(tx, aChange({ id: `c${n}`, rowId: `r${n}`, ...parts }))
    }
    setState(tx, 'values-unchecked', 'yes')
  })
  return mirror
}

const parked = (state: Change['state']): Partial<Change> => ({ state, reason: 'as it was' })

test('a damaged value waits for the user whatever its change was waiting for, and every other change stays as it was', () => {
  const value = harmed(cipher.seal('typed'))
  const conflict: Partial<Change> = { ...parked('conflict'), conflict: { kind: 'fields', remote: { value: whole }, by: 'ada' } }
  const mirror = repaired([
    { patch: { value } },
    { ...parked('failed'), patch: { value } },
    { ...parked('blocked'), patch: { value } },
    { ...conflict, patch: { value } },
    { state: 'sending', attempts: 1, patch: { value } },
    { ...parked('failed'), patch: { value: whole } },
    { ...conflict, patch: { value: whole } },
    { ...parked('failed'), patch: { value: harmed(others) } },
    { ...parked('failed'), patch: { name: 'NEW' } },
  ])
  checkRepairedValues(mirror, cipher, randomUUID)
  const queue = mirror.snapshot(allEntries)
  for (const change of queue.slice(0, 5)) {
    expect(change).toMatchObject({ state: 'failed', conflict: null, reason: expect.stringContaining('value was damaged') })
  }
  expect(queue.slice(5)).toMatchObject([
    { state: 'failed', reason: 'as it was' },
    { state: 'conflict', conflict: { kind: 'fields' } },
    { state: 'failed', reason: 'as it was' },
    { state: 'failed', reason: 'as it was' },
  ])
})

test('the look is made once: what is typed afterwards is not opened at every start', () => {
  const mirror = repaired([])
  checkRepairedValues(mirror, cipher, randomUUID)
  mirror.write((tx) => restoreEntry(tx, aChange({ patch: { value: harmed(whole) } })))
  checkRepairedValues(mirror, cipher, randomUUID)
  expect(mirror.snapshot(allEntries)).toMatchObject([{ state: 'queued' }])
})

test.each<{ says: string; parts: Partial<Change>; cipher: Result<WorkspaceCipher, AppError>; outcome: object; state: string }>([
  {
    says: 'a damaged value is refused',
    parts: { patch: { value: harmed(whole) } },
    cipher: ok(cipher),
    outcome: { ok: false, error: { kind: 'value-unreadable', message: expect.stringContaining('Enter it again') } },
    state: 'failed',
  },
  {
    says: 'one that may have been sent is refused too',
    parts: { kind: 'create', attempts: 1, patch: { name: 'A', value: harmed(whole) } },
    cipher: ok(cipher),
    outcome: { ok: false, error: { kind: 'value-unreadable' } },
    state: 'failed',
  },
  { says: 'a whole value goes', parts: { patch: { value: whole } }, cipher: ok(cipher), outcome: { ok: true }, state: 'queued' },
  { says: 'a value of another key goes', parts: { patch: { value: others } }, cipher: ok(cipher), outcome: { ok: true }, state: 'queued' },
  {
    says: 'a value that cannot be looked at waits for the key',
    parts: { patch: { value: whole } },
    cipher: err({ kind: 'keys-locked', message: 'Unlock.' }),
    outcome: { ok: false, error: { kind: 'keys-locked' } },
    state: 'failed',
  },
  {
    says: 'a change without a value needs no key',
    parts: { patch: { name: 'NEW' } },
    cipher: err({ kind: 'keys-locked', message: 'Unlock.' }),
    outcome: { ok: true },
    state: 'queued',
  },
])('tried again, $says', ({ parts, cipher: given, outcome, state }) => {
  const mirror = repaired([{ ...parked('failed'), ...parts }])
  expect(mirror.write((tx) => retryChange(tx, 'c0', () => 'new-id', given))).toMatchObject(outcome)
  expect(mirror.snapshot(allEntries)).toMatchObject([{ state }])
})
