/** V8 writes texts up to this length on its stack, and longer ones into blocks that it frees as they are. */
const longestPiece = 500

/**
 * What JSON.stringify gives for data of the bridge (objects, arrays, texts, numbers, booleans, null; undefined is left out), made of pieces
 * so short that none of them stays in freed memory outside of V8's heap.
 */
export function jsonInPieces(data: unknown): string {
  if (typeof data === 'string') return quoted(data)
  if (typeof data !== 'object' || data === null) return JSON.stringify(data) ?? 'null'
  if (Array.isArray(data)) return `[${data.map(jsonInPieces).join(',')}]`
  const fields = Object.entries(data).flatMap(([name, value]) => (value === undefined ? [] : [`${quoted(name)}:${jsonInPieces(value)}`]))
  return `{${fields.join(',')}}`
}

/** Half of a surrogate pair at the end of a piece is escaped, and so is the other half: read, they are one again. */
function quoted(text: string): string {
  if (text.length <= longestPiece) return JSON.stringify(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += longestPiece) pieces.push(JSON.stringify(text.slice(at, at + longestPiece)).slice(1, -1))
  return `"${pieces.join('')}"`
}
