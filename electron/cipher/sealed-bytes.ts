const prefix = 'v1:'
export const ivLength = 12
export const tagLength = 16

/**
 * Returns the bytes inside a sealed value: iv[12] ‖ ciphertext ‖ tag[16]. Null if `text` is not a well-formed envelope: `v1:`, then the
 * standard, padded, canonical base64 (RFC 4648 section 4) of at least 28 bytes.
 */
export function sealedBytes(text: string): Buffer | null {
  if (!text.startsWith(prefix)) return null
  const encoded = text.slice(prefix.length)
  const bytes = Buffer.from(encoded, 'base64')
  if (bytes.length < ivLength + tagLength) return null
  // Node's decoder skips unknown characters: without this check, one value could be written in many ways.
  return bytes.toString('base64') === encoded ? bytes : null
}

/** Returns the envelope around iv ‖ ciphertext ‖ tag. */
export function sealedText(bytes: Buffer): string {
  return prefix + bytes.toString('base64')
}
