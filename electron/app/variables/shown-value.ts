import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'

/** A value as the page may see it: a secret (or one the service never classed) only when the user asked to reveal it. */
export function shownValue(
  cipher: WorkspaceCipher,
  sealed: string | null,
  masked: boolean,
  reveal: boolean,
): { state: 'shown'; value: string } | { state: 'masked' } | { state: 'unreadable' } {
  if (sealed === null) return { state: 'unreadable' }
  if (masked && !reveal) return { state: 'masked' }
  const value = cipher.open(sealed)
  return value === null ? { state: 'unreadable' } : { state: 'shown', value }
}
