import { isUnverified, partsOfStored } from '../../cipher/stored-value.ts'
import type { ShownValue } from '../../cipher/verify-value.ts'
import { createWorkspaceCipher, type WorkspaceCipher } from '../../cipher/workspace-cipher.ts'

/** Tries a key, then wipes the copy it used. */
function tryKey<T>(key: Uint8Array, use: (cipher: WorkspaceCipher) => T): T {
  const cipher = createWorkspaceCipher(Uint8Array.from(key))
  try {
    return use(cipher)
  } finally {
    cipher.wipe()
  }
}

/**
 * Whether a cipher opens a value of the mirror. `place`: the record that the value is of. Sync could not bind an Unverified value to it: it
 * had another key.
 */
export const opensStored = (
  cipher: WorkspaceCipher,
  workspaceId: string,
  stored: string,
  place: Pick<ShownValue, 'environmentId' | 'name'> | null,
): boolean =>
  cipher.openUnverified(stored) !== null ||
  (place !== null && isUnverified(stored) && opensWith(cipher, workspaceId, { ...place, value: partsOfStored(stored).sealed }) !== null)

/** Returns how a workspace key opens a remote value: bound to its variable, or unbound. Null: it doesn't open it. */
export const opensShown = (key: Uint8Array, workspaceId: string, shown: ShownValue): 'bound' | 'unbound' | null =>
  tryKey(key, (cipher) => opensWith(cipher, workspaceId, shown))

/** Like `opensShown`, with the cipher of a key. */
export const opensWith = (cipher: WorkspaceCipher, workspaceId: string, shown: ShownValue): 'bound' | 'unbound' | null => {
  if (cipher.open(shown.value) !== null) return 'unbound'
  const { environmentId, name, value } = shown
  const types = shown.type === undefined ? (['string', 'number', 'boolean'] as const) : [shown.type]
  const secrecies = shown.isSecret === undefined ? [true, false] : [shown.isSecret]
  const places = types.flatMap((type) => secrecies.map((isSecret) => ({ workspaceId, environmentId, name, type, isSecret })))
  return cipher.openBound(value, places) === null ? null : 'bound'
}
