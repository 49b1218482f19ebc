/**
 * What a paste into the name field of a new variable means: `KEY=value` on one line fills both fields,
 * several such lines are an import, anything else is plain text for the field.
 */
export const pastedLine = (text: string): { kind: 'text' } | { kind: 'pair'; name: string; value: string } | { kind: 'import' } => {
  const lines = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
  const pairs = lines.map((line) => /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_.-]*)\s*=(.*)$/.exec(line))
  if (lines.length > 1 && pairs[0] !== null) return { kind: 'import' }
  const [, name, value] = pairs[0] ?? []
  if (lines.length !== 1 || name === undefined || value === undefined) return { kind: 'text' }
  const trimmed = value.trim()
  const quoted = /^(["'])(.*)\1$/.exec(trimmed)
  return { kind: 'pair', name, value: quoted?.[2] ?? trimmed }
}
