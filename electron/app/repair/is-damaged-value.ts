import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { SealedValue } from '../../queue/fields.ts'

/** Whether a value that was sealed with our key no longer opens. False for values of other keys, which can't be checked. */
export function isDamagedValue(cipher: WorkspaceCipher, { sealed, tag, keyId }: SealedValue): boolean {
  if (keyId !== cipher.keyId || tag === null) return false
  const text = cipher.open(sealed)
  return text === null || cipher.tagOf(text) !== tag
}
