/** V8 writes texts up to this length on its stack. It writes longer texts into blocks, and does not overwrite them before freeing. */
const longestPiece = 500

/**
 * Returns the same text as JSON.stringify for data of the bridge (objects, arrays, texts, numbers, booleans, null; undefined is left out).
 * It joins pieces so short that none stays in freed memory outside of V8's heap.
 */
export function jsonInPieces(data: unknown): string {
  if (typeof data === 'string') return quoted(data)
  if (typeof data !== 'object' || data === null) return JSON.stringify(data) ?? 'null'
  if (Array.isArray(data)) return `[${data.map(jsonInPieces).join(',')}]`
  const fields = Object.entries(data).flatMap(([name, value]) => (value === undefined ? [] : [`${quoted(name)}:${jsonInPieces(value)}`]))
  return `{${fields.join(',')}}`
}

/** If a piece ends inside a surrogate pair, both halves are escaped. JSON.parse joins them again. */
function quoted(text: string): string {
  if (text.length <= longestPiece) return JSON.stringify(text)
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += longestPiece) pieces.push(JSON.stringify(text.slice(at, at + longestPiece)).slice(1, -1))
  return `"${pieces.join('')}"`
}
