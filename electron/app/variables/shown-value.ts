import { isUnverified } from '../../cipher/stored-value.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'

/** A value as the page may see it: a secret (or one the service never classed) only when the user asked to reveal it; never one that is Unverified. */
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
