import { sealedValueLimit } from './limits.ts'

const prefix = 'v1:'
// 12 bytes of IV and 16 of tag stand around even an empty plaintext.
const leastBytes = 28
const base64 = /^[A-Za-z0-9+/]*={0,2}$/
// The bits past the last whole byte must be zero, so that one ciphertext has one spelling.
const cleanEnd = /(?:[A-Za-z0-9+/]{2}|[AEIMQUYcgkosw048]=|[AQgw]==)$/

/**
 * Says in one sentence why `value` is not a well-formed sealed value: `v1:` followed by the padded
 * standard base64 of at least 28 bytes (IV, ciphertext, tag). Null when it is. Does not check the size.
 */
export const sealedValueProblem = (value: string): string | null => {
  if (!value.startsWith(prefix)) return 'A value must be sealed by the client: it starts with "v1:".'
  const text = value.slice(prefix.length)
  if (text.length % 4 !== 0 || !base64.test(text) || !cleanEnd.test(text.slice(-4)))
    return 'The part after "v1:" must be padded standard base64.'
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if ((text.length / 4) * 3 - padding < leastBytes)
    return `The part after "v1:" must hold at least ${leastBytes} bytes: IV, ciphertext and tag.`
  return null
}

/** True when a sealed value is larger than the service takes (answered with 413). */
export const sealedValueTooLarge = (value: string): boolean => value.length > sealedValueLimit
