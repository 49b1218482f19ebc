import { textLanguage } from './text-language.ts'

/**
 * What a paste into the table or the name field of a new variable means: `KEY=value` on one line fills both fields, several such lines, a line
 * that an import warns of, JSON and YAML are an import, anything else is plain text for the field.
 */
export const pastedLine = (text: string): { kind: 'text' } | { kind: 'pair'; name: string; value: string } | { kind: 'import' } => {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
  if (isData(text, lines)) return { kind: 'import' }
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/.exec(line))
  if (lines.length > 1 && pairs[0] !== null) return { kind: 'import' }
  const [, name, value] = pairs[0] ?? []
  if (lines.length !== 1 || name === undefined || value === undefined) return { kind: 'text' }
  const read = readValue(value)
  return read === null ? { kind: 'import' } : { kind: 'pair', name, value: read }
}

/** The value of a line as an import of .env reads it. Null: an import would warn of it. */
const readValue = (written: string): string | null => {
  const [, value = '', quote] = /^\s*((["'`])(?:\\\2|(?!\2).)*\2)\s*(?:#.*)?$/.exec(written) ?? []
  if (quote !== undefined) {
    const inside = value.slice(1, -1)
    if (/\\["'`\\$!]/.test(inside)) return null
    return quote === '"' ? inside.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inside
  }
  const [plain = ''] = written.split('#', 1)
  // Without a space before it, a # may be meant as a part of the value.
  if (plain !== written && !/\s$/.test(plain)) return null
  return /^\s*["'`]|-----BEGIN/.test(plain) ? null : plain.trim()
}

/** Whether a text begins as a JSON object of names, or as YAML whose keys could be names: not as a sentence with a colon, or an address. */
const isData = (text: string, lines: readonly string[]): boolean => {
  const language = textLanguage(text)
  if (language === 'json') return /^\s*\{\s*(?:"|\})/.test(text)
  const [first] = lines
  return language === 'yaml' && first !== undefined && /^(?:---\s*$|["']?[A-Za-z_][\w.-]*["']?:(?:\s|$))/.test(first)
}
