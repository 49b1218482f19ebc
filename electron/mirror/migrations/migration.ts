/** One step of the schema. Its number is its place in the list; a step that has shipped is never edited. */
export interface Migration {
  name: string
  /** Statements, run in one transaction with the new `user_version`. */
  up: readonly string[]
}
