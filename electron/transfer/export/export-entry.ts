import type { VariableType } from '../../bridge/rows.ts'

/** A variable to export. */
export interface ExportEntry {
  name: string
  value: string
  type: VariableType | null
  /** Whether the value is known not to be a secret: a masked text shows it. */
  isPlain?: boolean
  /** Whether the value is replaced by dots. */
  isMasked?: true
}

export interface ExportNote {
  /** The names of the entries that the note is about. */
  namesIn(entries: readonly ExportEntry[]): string[]
  /** The note, as a sentence. `names`: at least one. */
  say(names: readonly string[]): string
}

/** One format to export variables in. */
export interface ExportFormat {
  /** Returns why the format can't hold this variable, in one sentence that tells nothing of the value; null if it can. */
  refusal(entry: ExportEntry): string | null
  /** Returns the text of entries that are not refused. `title`: its name, for formats that have one. */
  write(entries: readonly ExportEntry[], title: string): string
  /** Set if the text of a list is the joined texts of its parts. */
  isJoinable?: true
  /** What the user should know about the whole text. */
  notes?: readonly ExportNote[]
  /** The end of a file's name. */
  ending: string
}
