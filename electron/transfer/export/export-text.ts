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

/** Writes variables in a format; what it cannot carry is refused by name. With `masked`, no value is in the text. */
export function exportText(format: FormatName, entries: readonly ExportEntry[], title: string, masked: boolean): Exported {
  const { refusal, write, writeMasked, notes, ending } = exportFormats[format]
  const refused: RefusedName[] = []
  const taken = entries.filter((entry) => {
    const reason = refusal(entry)
    if (reason !== null) refused.push({ name: entry.name, reason })
    return reason === null
  })
  return { text: masked ? maskedText() : write(taken, title), refused, notes: notes?.(taken) ?? [], ending }

  function maskedText(): string {
    if (writeMasked)
      return writeMasked(
        taken.map(({ name }) => name),
        dots,
        title,
      )
    return write(
      taken.map(({ name }) => ({ name, value: dots, type: 'string' as const })),
      title,
    )
  }
}
