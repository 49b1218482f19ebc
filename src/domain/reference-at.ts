/** The reference that is being typed at a place in a text. */
export interface OpenReference {
  /** Where its name begins, behind the `${`. */
  from: number
  /** Where its name ends: at the place, or further where more of the name follows. */
  to: number
  /** The part of the name before the caret. */
  typed: string
  /** Whether it is already closed by `}`. */
  isClosed: boolean
}

/** Longest name looked at: one of an environment, a dot and one of a variable. */
const longest = 512

/** The reference whose name is being typed at the caret, or null. `$${` does not begin one. */
export const referenceAt = (text: string, caret: number): OpenReference | null => {
  const before = text.slice(Math.max(0, caret - longest), caret)
  const found = /(\$*)\$\{([\p{L}\p{N}_.-]*)$/u.exec(before)
  const typed = found?.[2]
  if (found?.[1] === undefined || typed === undefined || found[1].length > 0) return null
  const rest = /^([\p{L}\p{N}_.-]*)(\}?)/u.exec(text.slice(caret, caret + longest))
  return { from: caret - typed.length, to: caret + (rest?.[1]?.length ?? 0), typed, isClosed: rest?.[2] === '}' }
}

/** A text with a suggestion put in, and where the caret goes: behind the `}`. */
export const withReference = (text: string, open: OpenReference, insert: string): { text: string; caret: number } => ({
  text: `${text.slice(0, open.from)}${insert}${open.isClosed ? '' : '}'}${text.slice(open.to)}`,
  caret: open.from + insert.length + 1,
})
