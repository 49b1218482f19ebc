import type { ImportWarning, VariableType } from '../bridge/rows.ts'

/** One variable that a text gives. */
export interface ReadEntry {
  /** 1-based. */
  line: number
  name: string
  value: string
  /** null: the text does not say. */
  type: VariableType | null
  /** The text says that it is a secret. Left out: it says nothing. */
  isSecret?: true
  /** Whether a later entry of the same name replaces this one. */
  overridden: boolean
  /** What the user should know about how it was read, or null. */
  note: string | null
  /** Warnings that the value may not be what the author meant. */
  warnings: ImportWarning[]
}

/** A part of a text that is not a variable. */
export interface InvalidPart {
  /** 1-based. */
  line: number
  /** The name it would have had; empty if it has no name. */
  name: string
  /** The names it may have meant, if it has no name. */
  mayName?: readonly string[]
  /** A sentence; it holds names at most, never a value. */
  reason: string
}

/** A text to import, read, whatever its format was. Both lists are in the order of the text. */
export interface ReadText {
  entries: ReadEntry[]
  invalid: InvalidPart[]
}

/** An entry before it is known whether a later one of the same name replaces it. */
export type FoundEntry = Omit<ReadEntry, 'overridden' | 'warnings'>

/** Marks all entries but the last of each name. */
export function markOverridden(found: readonly FoundEntry[]): ReadEntry[] {
  const last = new Map(found.map((entry, index) => [entry.name, index]))
  return found.map((entry, index) => ({ ...entry, overridden: last.get(entry.name) !== index, warnings: [] }))
}
