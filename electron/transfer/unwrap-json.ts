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

/** `vault kv get -format=json`: with versions, the values are in `data.data`, else in `data`. */
function ofVault({ entries, invalid }: ReadText): ReadText | null {
  const has = (name: string) => entries.some((entry) => entry.name === name)
  if (!has('request_id') || !has('lease_id')) return null
  const group = has(flatName(['data', 'metadata', 'version'])) ? ['data', 'data'] : ['data']
  const prefix = flatName([...group, ''])
  const isIn = ({ name }: { name: string }) => name.startsWith(prefix)
  const inside = <T extends { name: string }>(part: T): T => ({ ...part, name: part.name.slice(prefix.length) })
  return {
    entries: entries.filter(isIn).map((entry) => ({ ...inside(entry), isSecret: true })),
    invalid: invalid.filter(isIn).map(inside),
  }
}

const terraformField = /^(.+)__(sensitive|type|value)$/s

/** `terraform output -json`: an object for each name. Its type may be a list, which says nothing here. */
function ofTerraform({ entries, invalid }: ReadText): ReadText | null {
  const sensitive = new Map<string, boolean>()
  const values: ReadEntry[] = []
  for (const entry of entries) {
    const [, name, field] = terraformField.exec(entry.name) ?? []
    if (name === undefined) return null
    if (field === 'sensitive') sensitive.set(name, entry.value === 'true')
    if (field === 'value') values.push({ ...entry, name })
  }
  if (sensitive.size === 0 || !values.every(({ name }) => sensitive.has(name))) return null
  return {
    entries: values.map((entry) => (sensitive.get(entry.name) === true ? { ...entry, isSecret: true } : entry)),
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

function ofListing({ entries, lists }: JsonText): ReadText | null {
  const has = (field: string) => entries.some(({ name }) => name === field)
  const listing = listings.find(({ list, beside }) => lists.has(list) && (beside === null || has(beside)))
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
