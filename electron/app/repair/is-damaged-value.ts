import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { SealedValue } from '../../queue/fields.ts'

/** Whether our key sealed a value and does not open it as it was any more. Of what another key sealed nothing can be said. */
export function isDamagedValue(cipher: WorkspaceCipher, { sealed, tag, keyId }: SealedValue): boolean {
  if (keyId !== cipher.keyId || tag === null) return false
  const text = cipher.open(sealed)
  return text === null || cipher.tagOf(text) !== tag
}
