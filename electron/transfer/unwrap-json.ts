import { createCollector } from './collect-entries.ts'
import { flatName } from './flat-path.ts'
import { readJson, type JsonText } from './read-json.ts'
import { UnreadableText } from './read-limits.ts'
import type { ReadEntry, ReadText } from './read-text.ts'

/** Returns the variables of a JSON text that another program wrote with more than its names and values; else the text as it was read. */
export function unwrapJson(read: JsonText): ReadText {
  for (const unwrap of [ofDoppler, ofSecretsManager, ofVault, ofTerraform, ofListing]) {
    const found = unwrap(read)
    if (found !== null) return found
  }
  return { entries: read.entries, invalid: read.invalid }
}

const dopplerField = /^(.+)__(computed|raw|note|(?:computed|raw)(?:Visibility|ValueType__type))$/s

/** `doppler secrets --json`: an object for each name. `computed` is the value with its references resolved. */
function ofDoppler({ entries, invalid }: ReadText): ReadText | null {
  const fields = fieldsOf(entries, dopplerField)
  const visible = textsOf(fields, 'computedVisibility')
  const values = valuesOf(fields, 'computed', (name) => visible.has(name) && visible.get(name) !== 'unmasked')
  return values.length === 0 ? null : { entries: values, invalid }
}

/** One field of the object that a program writes for each name. */
interface Field {
  name: string
  field: string
  entry: ReadEntry
}

/** Splits each entry's name by `pattern` into a name and a field. Returns nothing if `pattern` doesn't fit all of them. */
function fieldsOf(entries: readonly ReadEntry[], pattern: RegExp): Field[] {
  const fields: Field[] = []
  for (const entry of entries) {
    const [, name, field] = pattern.exec(entry.name) ?? []
    if (name === undefined || field === undefined) return []
    fields.push({ name, field, entry })
  }
  return fields
}

/** Returns what one field says of each name. */
const textsOf = (fields: readonly Field[], wanted: string): ReadonlyMap<string, string> =>
  new Map(fields.filter(({ field }) => field === wanted).map(({ name, entry }) => [name, entry.value]))

/** Returns the variables whose values are in one field. */
const valuesOf = (fields: readonly Field[], wanted: string, isSecret: (name: string) => boolean): ReadEntry[] =>
  fields
    .filter(({ field }) => field === wanted)
    .map(({ name, entry }) => ({ ...entry, name, ...(isSecret(name) && { isSecret: true as const }) }))

const hasEntry = ({ entries }: ReadText, name: string): boolean => entries.some((entry) => entry.name === name)

/** `aws secretsmanager get-secret-value`: the secret is a text in the answer, usually an object in JSON. */
function ofSecretsManager(read: ReadText): ReadText | null {
  const secret = read.entries.findLast(({ name }) => name === 'SecretString')
  if (secret === undefined || !hasEntry(read, 'ARN')) return null
  try {
    const { entries: inner, invalid } = readJson(secret.value)
    const { line } = secret
    return { entries: inner.map((entry) => ({ ...entry, line, isSecret: true })), invalid: invalid.map((part) => ({ ...part, line })) }
  } catch (error) {
    if (error instanceof UnreadableText) return null
    throw error
  }
}

/** `vault kv get -format=json`: with versions, the values are in `data.data`, else in `data`. */
function ofVault(read: ReadText): ReadText | null {
  if (!hasEntry(read, 'request_id') || !hasEntry(read, 'lease_id')) return null
  const group = hasEntry(read, flatName(['data', 'metadata', 'version'])) ? ['data', 'data'] : ['data']
  const prefix = flatName([...group, ''])
  const isIn = ({ name }: { name: string }) => name.startsWith(prefix)
  const inside = <T extends { name: string }>(part: T): T => ({ ...part, name: part.name.slice(prefix.length) })
  return {
    entries: read.entries.filter(isIn).map((entry) => ({ ...inside(entry), isSecret: true })),
    invalid: read.invalid.filter(isIn).map(inside),
  }
}

const terraformField = /^(.+)__(sensitive|type|value)$/s

/** `terraform output -json`: an object for each name. Its type may be a list, which says nothing here. */
function ofTerraform({ entries, invalid }: ReadText): ReadText | null {
  const fields = fieldsOf(entries, terraformField)
  const sensitive = textsOf(fields, 'sensitive')
  const values = valuesOf(fields, 'value', (name) => sensitive.get(name) === 'true')
  if (sensitive.size === 0 || !values.every(({ name }) => sensitive.has(name))) return null
  return {
    entries: values,
    invalid: invalid.flatMap((part) => {
      const [, name, field] = terraformField.exec(part.name) ?? []
      return field === 'type' ? [] : [{ ...part, name: name ?? part.name }]
    }),
  }
}

/** How a program lists variables: in which list, beside which other field, and in which fields of its objects. */
interface Listing {
  list: string
  /** null: nothing else is always there. */
  beside: string | null
  name: string
  value: string
  /** The field that says whether it is a secret, and what it says then. */
  secret: readonly [field: string, says: string]
}

const listings: readonly Listing[] = [
  // An environment that Postman exported.
  { list: 'values', beside: '_postman_variable_scope', name: 'key', value: 'value', secret: ['type', 'secret'] },
  // op item get --format json
  { list: 'fields', beside: flatName(['vault', 'id']), name: 'label', value: 'value', secret: ['type', 'CONCEALED'] },
  // bw get item
  { list: 'fields', beside: 'organizationId', name: 'name', value: 'value', secret: ['type', '1'] },
  // aws ssm get-parameters-by-path
  { list: 'Parameters', beside: null, name: 'Name', value: 'Value', secret: ['Type', 'SecureString'] },
]

/** The lists of a JSON text that may be read as variables. */
export const listNames: ReadonlySet<string> = new Set(listings.map(({ list }) => list))

function ofListing(text: JsonText): ReadText | null {
  const { lists } = text
  const listing = listings.find(({ list, beside }) => lists.has(list) && (beside === null || hasEntry(text, beside)))
  if (listing === undefined) return null
  const { add, read } = createCollector()
  const [field, says] = listing.secret
  for (const { line, leaves } of lists.get(listing.list) ?? []) {
    const name = leaves.get(listing.name)
    const value = leaves.get(listing.value)
    // Programs list what has no value, such as an empty field, without one.
    if (name === undefined || value === undefined) continue
    const isSecret = leaves.get(field)?.value === says
    add(line, [name.value.replace(parameterPath, '')], { ...value, ...(isSecret && { isSecret }) })
  }
  const found = read()
  return found.entries.length + found.invalid.length === 0 ? null : found
}

/** `/shop/prod/` of the parameter `/shop/prod/HOST`. */
const parameterPath = /^\/(?:.*\/)?/s
