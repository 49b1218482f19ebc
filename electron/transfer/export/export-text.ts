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
export const exportText = (format: FormatName, entries: readonly ExportEntry[], title: string, masked: boolean): Exported =>
  joinParts(format, [exportPart(format, entries, title, masked)])

export interface ExportedPart {
  text: string
  refused: RefusedName[]
  /** For each note of the format, the names that it is about. */
  noted: string[][]
}

/** Writes one part of a list, in a format whose parts can be joined. */
export function exportPart(format: FormatName, entries: readonly ExportEntry[], title: string, masked: boolean): ExportedPart {
  const { refusal, write, notes = [] } = exportFormats[format]
  const refused: RefusedName[] = []
  const taken = entries.filter((entry) => {
    const reason = refusal(entry)
    if (reason !== null) refused.push({ name: entry.name, reason })
    return reason === null
  })
  return {
    text: write(masked ? taken.map(masking) : taken, title),
    refused,
    noted: notes.map(({ namesIn }) => namesIn(taken)),
  }
}

export function joinParts(format: FormatName, parts: readonly ExportedPart[]): Exported {
  const { notes = [], ending } = exportFormats[format]
  return {
    text: parts.map(({ text }) => text).join(''),
    refused: parts.flatMap(({ refused }) => refused),
    notes: notes.flatMap(({ say }, at) => {
      const names = parts.flatMap(({ noted }) => noted[at] ?? [])
      return names.length === 0 ? [] : [say(names)]
    }),
    ending,
  }
}
