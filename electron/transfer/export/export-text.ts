import type { ExportFormat as FormatName, RefusedName } from '../../bridge/rows.ts'
import type { ExportEntry } from './export-entry.ts'
import { exportFormats } from './export-formats.ts'

export interface Exported {
  text: string
  refused: RefusedName[]
  notes: string[]
  /** The end of a file's name. */
  ending: string
}

/** Stands for a value that is not shown, whatever its length. */
const dots = '•'.repeat(8)
const masking = (entry: ExportEntry): ExportEntry =>
  entry.isPlain === true ? entry : { name: entry.name, value: dots, type: 'string', isMasked: true }

/**
 * Writes variables in a format; variables that it cannot hold are refused by name. With `masked`, only values known not to be secret are in
 * the text.
 */
export function exportText(format: FormatName, entries: readonly ExportEntry[], title: string, masked: boolean): Exported {
  const { refusal, write, notes, ending } = exportFormats[format]
  const refused: RefusedName[] = []
  const taken = entries.filter((entry) => {
    const reason = refusal(entry)
    if (reason !== null) refused.push({ name: entry.name, reason })
    return reason === null
  })
  return { text: write(masked ? taken.map(masking) : taken, title), refused, notes: notes?.(taken) ?? [], ending }
}
