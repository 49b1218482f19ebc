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

/** Whether a workspace key opens a value of the mirror. */
export const opensStored = (key: Uint8Array, stored: string): boolean => tryKey(key, (cipher) => cipher.openUnverified(stored) !== null)

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
