import { textLanguage } from './text-language.ts'

/**
 * What a paste into the table or the name field of a new variable means: `KEY=value` on one line fills both fields, several such lines, JSON and
 * YAML are an import, anything else is plain text for the field.
 */
export const pastedLine = (text: string): { kind: 'text' } | { kind: 'pair'; name: string; value: string } | { kind: 'import' } => {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
  if (isData(text, lines)) return { kind: 'import' }
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/.exec(line))
  if (lines.length > 1 && pairs[0] !== null) return { kind: 'import' }
  const [, name, value] = pairs[0] ?? []
  if (lines.length !== 1 || name === undefined || value === undefined) return { kind: 'text' }
  const trimmed = value.trim()
  const quoted = /^(["'])(.*)\1$/.exec(trimmed)
  return { kind: 'pair', name, value: quoted?.[2] ?? trimmed }
}

/** Whether a text begins as a JSON object of names, or as YAML whose keys could be names: not as a sentence with a colon, or an address. */
const isData = (text: string, lines: readonly string[]): boolean => {
  const language = textLanguage(text)
  if (language === 'json') return /^\s*\{\s*(?:"|\})/.test(text)
  const [first] = lines
  return language === 'yaml' && first !== undefined && /^(?:---\s*$|["']?[A-Za-z_][\w.-]*["']?:(?:\s|$))/.test(first)
}
