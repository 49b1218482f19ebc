import { readJson } from './read-json.ts'
import { UnreadableText } from './read-limits.ts'
import type { ReadEntry, ReadText } from './read-text.ts'

/** Returns the variables of a JSON text that another secret manager wrote with more than its names and values; else the text as it was read. */
export const unwrapJson = (read: ReadText): ReadText => ofDoppler(read) ?? ofSecretsManager(read) ?? read

const dopplerField = /^(.+)__(computed|raw|note|(?:computed|raw)(?:Visibility|ValueType__type))$/s

/** `doppler secrets --json`: an object for each name. `computed` is the value with its references resolved. */
function ofDoppler({ entries, invalid }: ReadText): ReadText | null {
  const fields = entries.map((entry) => ({ entry, match: dopplerField.exec(entry.name) }))
  const visible = new Map<string, string>()
  const values: ReadEntry[] = []
  for (const { entry, match } of fields) {
    const [, name = '', field] = match ?? []
    if (match === null) return null
    if (field === 'computed') values.push({ ...entry, name })
    if (field === 'computedVisibility') visible.set(name, entry.value)
  }
  if (values.length === 0) return null
  const isMasked = ({ name }: ReadEntry) => visible.has(name) && visible.get(name) !== 'unmasked'
  return { entries: values.map((entry) => (isMasked(entry) ? { ...entry, isSecret: true } : entry)), invalid }
}

/** `aws secretsmanager get-secret-value`: the secret is a text in the answer, usually an object in JSON. */
function ofSecretsManager({ entries }: ReadText): ReadText | null {
  const secret = entries.findLast(({ name }) => name === 'SecretString')
  if (secret === undefined || !entries.some(({ name }) => name === 'ARN')) return null
  try {
    const { entries: inner, invalid } = readJson(secret.value)
    const { line } = secret
    return { entries: inner.map((entry) => ({ ...entry, line, isSecret: true })), invalid: invalid.map((part) => ({ ...part, line })) }
  } catch (error) {
    if (error instanceof UnreadableText) return null
    throw error
  }
}
