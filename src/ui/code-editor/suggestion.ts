/** A suggestion for a reference: the text between `${` and `}`. */
export interface CodeSuggestion {
  insert: string
  /** A word shown next to it. */
  detail: string
}
