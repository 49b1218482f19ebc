const quote = 0x22
const backslash = 0x5c
/** The one bit by which `[` differs from `{`, and `]` from `}`. */
const shape = 0x20
const opening = 0x5b | shape
const closing = 0x5d | shape

/** Where the text that begins behind `start` ends: the place of its closing quote, or the end of the bytes. */
const endOfText = (bytes: Buffer, start: number): number => {
  for (let end = bytes.indexOf(quote, start); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0
    while (bytes[end - 1 - slashes] === backslash && end - 1 - slashes >= start) slashes++
    if (slashes % 2 === 0) return end
  }
  return bytes.length
}

/** Whether lists and objects are nested deeper than `limit` in these bytes of JSON. Bytes that are no JSON are judged as far as they go. */
export const isDeeperThan = (bytes: Buffer, limit: number): boolean => {
  let depth = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0
    if (byte === quote) at = endOfText(bytes, at + 1)
    else if ((byte | shape) === opening) {
      depth++
      if (depth > limit) return true
    } else if ((byte | shape) === closing) depth--
  }
  return false
}
