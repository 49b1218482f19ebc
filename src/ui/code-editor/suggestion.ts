/** What could stand in a reference: between `${` and `}`. */
export interface CodeSuggestion {
  insert: string
  /** A word shown next to it. */
  detail: string
}
