import { isUnverified } from '../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'

/** Returns a value as the page may see it. A masked value is shown only if the user reveals it. An Unverified value is never shown. */
export function shownValue(
  cipher: WorkspaceCipher,
  sealed: string | null,
  masked: boolean,
  reveal: boolean,
): { state: 'shown'; value: string } | { state: 'masked' } | { state: 'unreadable' } | { state: 'unverified' } {
  if (sealed === null) return { state: 'unreadable' }
  if (isUnverified(sealed)) return { state: 'unverified' }
  if (masked && !reveal) return { state: 'masked' }
  const value = cipher.open(sealed)
  return value === null ? { state: 'unreadable' } : { state: 'shown', value }
}
