import type { VariableType } from '../../bridge/rows.ts'

/** A variable on its way out. */
export interface ExportEntry {
  name: string
  value: string
  type: VariableType | null
  /** It's known to be no secret: a masked text shows it. */
  isPlain?: boolean
  /** Dots have taken the place of its value. */
  isMasked?: true
}

/** One way to write variables down. */
export interface ExportFormat {
  /** Why it cannot carry this variable, in one sentence that tells nothing of the value; null when it can. */
  refusal(entry: ExportEntry): string | null
  /** The whole text, of entries that are not refused. `title` names it where the format has a place for a name. */
  write(entries: readonly ExportEntry[], title: string): string
  /** The text of a list is the texts of its parts one after the other, and its notes are those of the parts. */
  isJoinable?: true
  /** What a person should know of the text as a whole. */
  notes?(entries: readonly ExportEntry[]): string[]
  /** The end of a file's name. */
  ending: string
}
