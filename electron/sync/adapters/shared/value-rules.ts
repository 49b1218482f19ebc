import type { ShownValue, ValueMemory, ValuePolicy, VerifiedValue } from '../../../cipher/verify-value.ts'
import { verifyValue } from '../../../cipher/verify-value.ts'
import { isBound, isUnverified } from '../../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../../cipher/workspace-cipher.ts'
import type { Change } from '../../../queue/entry.ts'
import type { Fields, SealedValue } from '../../../queue/fields.ts'
import type { PushItem } from '../../port.ts'

/** Decides which values a workspace accepts, and how it seals its own. */
export interface ValueRules {
  cipher: WorkspaceCipher
  /** The workspace's id on its service. */
  workspaceId: string
  /** Called for each value. */
  policy(): ValuePolicy
  /** Returns the mirror's facts about a variable and its shown value. */
  memoryOf(shown: ShownValue & { remoteId: string }): ValueMemory
}

const noMemory: ValueMemory = { own: null, namesake: null, isSuperseded: false, isAnothers: false }

/** The rules of a workspace that accepts the values of other clients and remembers none. */
export const openRules = (cipher: WorkspaceCipher): ValueRules => ({
  cipher,
  workspaceId: '',
  policy: () => 'open',
  memoryOf: () => noMemory,
})

/**
 * Decides whether to accept a value of a record; see `verifyValue`. Only sealed text is stored in any case. A null `remoteId` means a value
 * of a version, which may be old.
 */
export type Accept = (shown: ShownValue & { remoteId: string | null }) => VerifiedValue

export const acceptBy =
  ({ cipher, workspaceId, policy, memoryOf }: ValueRules): Accept =>
  ({ remoteId, ...shown }) =>
    verifyValue(cipher, workspaceId, policy(), shown, remoteId === null ? noMemory : memoryOf({ ...shown, remoteId }))

/** The fields of a variable as a change sends them; `problem`: why its value can't be sent, as a sentence. */
export type WireFields =
  { ok: true; value: Pick<Fields, 'name' | 'type' | 'isSecret'> & { value?: string | undefined } } | { ok: false; problem: string }

export type SealFields = (change: Change, item: PushItem) => WireFields

const notVerified = 'This value is Unverified, so it isn’t sent. Accept it, or enter another value.'
const notBindable = 'The service hasn’t shown this variable’s name and environment, so its value isn’t sent. Try again after the next sync.'
/** For a value that was sealed with our key and no longer opens. */
export const damagedProblem = 'Its value was damaged with the database. Enter it again, or discard this change.'
const notReadable = 'This workspace’s key can’t read this value, so it isn’t sent. Enter another value.'

/**
 * Returns the fields to send, with the value sealed to the variable as it will be. A bound value is sent with every change, together with
 * type and secrecy, because it is sealed to all of them. An Unverified value is not sent, and no damaged one, whatever edit it came with: it
 * would overwrite a good one.
 */
export const sealBy =
  ({ cipher, workspaceId, policy }: ValueRules): SealFields =>
  ({ kind, patch }, { base, parent }) => {
    const { name, type, isSecret } = patch
    const before = kind === 'create' ? {} : (base?.fields ?? {})
    const isBinding = policy() !== 'open' || (before.value !== undefined && isBound(before.value.sealed))
    if (patch.value !== undefined && isUnverified(patch.value.sealed)) return { ok: false, problem: notVerified }
    const text = readable(cipher, patch.value ?? (isBinding ? before.value : undefined))
    if (text === null && patch.value?.keyId === cipher.keyId) return { ok: false, problem: damagedProblem }
    if (!isBinding) return { ok: true, value: { name, value: patch.value && unboundOf(cipher, patch.value, text), type, isSecret } }
    if (text === null)
      return patch.value === undefined ? { ok: true, value: { name, type, isSecret } } : { ok: false, problem: notReadable }
    const boundName = name ?? before.name
    // The value can't be bound, and without it the change would count as done.
    if (parent === null || boundName === undefined) return { ok: false, problem: notBindable }
    const kinds = { type: type ?? before.type ?? 'string', isSecret: isSecret ?? before.isSecret ?? true }
    const place = { workspaceId, environmentId: parent.remoteId, name: boundName, ...kinds }
    return { ok: true, value: { name, value: cipher.sealFor(text, place), ...kinds } }
  }

const readable = (cipher: WorkspaceCipher, value: Fields['value']): string | null =>
  value === undefined ? null : cipher.open(value.sealed)

/**
 * Returns a value for a service that other clients read. A bound value is sealed again without its binding, and one of a former key with the
 * present key; one of another key (`text` is null) is sent unchanged.
 */
const unboundOf = (cipher: WorkspaceCipher, { sealed, keyId }: SealedValue, text: string | null): string =>
  text !== null && (isBound(sealed) || keyId !== cipher.keyId) ? cipher.seal(text).sealed : sealed
