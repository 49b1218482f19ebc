import type { ImportLine } from '../../electron/bridge/rows.ts'

/** A text with what a preview said of it. */
export interface ReadText {
  text: string
  lines: readonly Pick<ImportLine, 'name' | 'line' | 'status'>[]
}

/** The part of a text that each name has: from its line to that of the next one. Of a name that comes twice, the last. */
export const textParts = ({ text, lines }: ReadText): Map<string, string> => {
  const rows = text.split('\n')
  const placed = lines.filter(({ line }) => line > 0).toSorted((a, b) => a.line - b.line)
  return new Map(
    placed.map(({ name, line }, at) => [
      name,
      rows
        .slice(line - 1, (placed[at + 1]?.line ?? rows.length + 1) - 1)
        .join('\n')
        .trimEnd(),
    ]),
  )
}
