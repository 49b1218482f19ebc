import { variableNameProblem } from '../../../service/protocol/names.ts'
import type { Queries } from '../../bridge/contract.ts'
import type { ImportLine, Rename, VariableType } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { inNameOrder } from '../../mirror/name-key.ts'
import type { Row } from '../../queue/entry.ts'
import { twoNamed } from '../edits/refusals.ts'
import { valueProblem } from '../edits/value-problem.ts'
import { guessSecret } from '../../transfer/guess-secret.ts'
import type { InvalidPart, ReadEntry } from '../../transfer/read-text.ts'

export type ImportArgs = Queries['import.preview']['args']

export interface ImportOptions {
  isReplace: boolean
  secret: ReadonlyMap<string, boolean>
  keep: ReadonlySet<string>
}

/** An entry with all that can be computed without the environment. This is the slow part, and is done in slices. */
export interface PreparedEntry extends ReadEntry {
  problem: string | null
  /** What a new variable is, unless the text or the user says. */
  isGuessedSecret: boolean
  guessedType: VariableType
  tag: string
}

/** One line of the preview, with all that applying it needs. */
export interface PlannedLine extends Omit<ImportLine, 'warnings' | 'id' | 'value'> {
  /** null for a removal: the text has no such entry. */
  entry: PreparedEntry | null
  /** The existing variable of that name. */
  existing: Row | null
  /** The variable that an added line renames, instead of making a new one. */
  former?: Row
}

export const optionsOf = ({ mode, secretNames, keepNames }: ImportArgs): ImportOptions => ({
  isReplace: mode === 'replace',
  secret: new Map(secretNames?.map(({ name, isSecret }) => [name, isSecret])),
  keep: new Set(keepNames),
})

export const prepareEntry = (entry: ReadEntry, cipher: WorkspaceCipher): PreparedEntry => ({
  ...entry,
  problem: variableNameProblem(entry.name) ?? valueProblem(entry.value),
  isGuessedSecret: entry.isSecret ?? guessSecret(entry.name),
  guessedType: 'string',
  tag: cipher.tagOf(entry.value),
})

/** Returns how an entry would change the variable of its name. Compares values by tag, without decrypting. */
export function planEntry(entry: PreparedEntry, existing: Row | null, options: ImportOptions, keyId: string): PlannedLine {
  const chosen = options.secret.get(entry.name)
  // A variable of unknown secrecy is masked as everywhere, whatever its name is like.
  const isSecret = chosen ?? (existing === null ? entry.isGuessedSecret : (existing.fields.isSecret ?? true))
  const type = entry.type ?? (existing === null ? entry.guessedType : (existing.fields.type ?? null))
  const line = { line: entry.line, name: entry.name, isSecret, type, entry, existing }
  if (entry.problem !== null) return { ...line, status: 'invalid', reason: entry.problem }
  if (entry.overridden) return { ...line, status: 'overridden', reason: 'A later line sets it again. The last one is used.' }
  if (existing === null) return { ...line, status: 'added', reason: entry.note }
  const held = existing.fields.value
  const sameValue = held !== undefined && held.keyId === keyId && held.tag === entry.tag
  const sameType = entry.type === null || existing.fields.type === undefined || existing.fields.type === entry.type
  const sameSecret = chosen === undefined || existing.fields.isSecret === chosen
  if (!sameValue) return { ...line, status: 'changed', reason: entry.note }
  if (sameType && sameSecret) return { ...line, status: 'unchanged', reason: null }
  const reason = sameType ? `Same value, marked as ${isSecret ? 'secret' : 'not secret'}.` : `Same value, type changes to ${type}.`
  return { ...line, status: 'changed', reason }
}

/** Plans all lines of a text against the variables of an environment. Pure, so that the preview and the import can't disagree. */
export function planImport(
  entries: readonly PreparedEntry[],
  invalid: readonly InvalidPart[],
  present: readonly Row[],
  options: ImportOptions,
  keyId: string,
): PlannedLine[] {
  const byName = Map.groupBy(present, (row) => row.fields.name)
  const removals = options.isReplace ? planRemovals(entries, invalid, present, options) : []
  const removedOf = Map.groupBy(removals, ({ existing }) => tagUnder(keyId, existing))
  const lines = entries.map((entry) => {
    const [existing = null, other] = byName.get(entry.name) ?? []
    const line = planEntry(existing === null ? renamed(entry, removedOf.get(entry.tag) ?? []) : entry, existing, options, keyId)
    return other === undefined || line.status === 'invalid' ? line : { ...line, status: 'invalid' as const, reason: twoNamed }
  })
  const bad = invalid.map(({ line, name, reason }): PlannedLine => ({
    line,
    name,
    reason,
    status: 'invalid',
    isSecret: false,
    type: null,
    entry: null,
    existing: null,
  }))
  const inOrder = [...lines, ...bad].toSorted((a, b) => a.line - b.line)
  return [...inOrder, ...removals]
}

/** The equality tag of a variable's value, if the present key made it: others can't be compared. */
const tagUnder = (keyId: string, row: Row | null): string | null | undefined =>
  row?.fields.value?.keyId === keyId ? row.fields.value.tag : undefined

/**
 * Pairs each removed variable with the added line of the same value. Pairs nothing in doubt: values that several have, and empty ones, which
 * say little.
 */
export function findRenames(lines: readonly PlannedLine[], keyId: string): Rename[] {
  const removed = Map.groupBy(
    lines.filter(({ status }) => status === 'removed'),
    ({ existing }) => tagUnder(keyId, existing),
  )
  const added = lines.filter(({ status, entry }) => status === 'added' && entry !== null && entry.value !== '' && removed.has(entry.tag))
  return [...Map.groupBy(added, ({ entry }) => entry?.tag)].flatMap(([tag, [line, otherLine]]) => {
    const [former, otherFormer] = removed.get(tag) ?? []
    if (line === undefined || former === undefined || otherLine !== undefined || otherFormer !== undefined) return []
    return [{ from: former.name, to: line.name }]
  })
}

/** Joins each removal with the added line that renames its variable. A pair of which one is neither removed nor added stays as it is. */
export function joinRenames(lines: readonly PlannedLine[], renames: readonly Rename[]): readonly PlannedLine[] {
  if (renames.length === 0) return lines
  const removed = new Map(
    lines.flatMap(({ status, name, existing }) => (status === 'removed' && existing !== null ? [[name, existing]] : [])),
  )
  const added = new Set(lines.flatMap(({ status, name }) => (status === 'added' ? [name] : [])))
  const formerOf = new Map<string, Row>()
  for (const { from, to } of renames) {
    const former = removed.get(from)
    if (former === undefined || !added.has(to)) continue
    formerOf.set(to, former)
    removed.delete(from)
    added.delete(to)
  }
  const joined = new Set(formerOf.values())
  return lines.flatMap((line) => {
    if (line.status === 'removed' && line.existing !== null && joined.has(line.existing)) return []
    const former = line.status === 'added' ? formerOf.get(line.name) : undefined
    return [former === undefined ? line : { ...line, former }]
  })
}

/**
 * A new variable with the value of one that is removed is the same one under another name. It's at least as secret, and has its type.
 * `removed`: the removed ones of that value.
 */
function renamed(entry: PreparedEntry, removed: readonly PlannedLine[]): PreparedEntry {
  const [first] = removed
  if (first === undefined) return entry
  return {
    ...entry,
    isGuessedSecret: entry.isGuessedSecret || removed.some(({ isSecret }) => isSecret),
    guessedType: first.type ?? entry.guessedType,
  }
}

/** Plans the removals. Any name in the text keeps its variable, even in an invalid line: a mistake is not a request to delete. */
function planRemovals(
  entries: readonly PreparedEntry[],
  invalid: readonly InvalidPart[],
  present: readonly Row[],
  options: ImportOptions,
): PlannedLine[] {
  const named = new Set([...entries.map((entry) => entry.name), ...invalid.flatMap(({ name, mayName = [] }) => [name, ...mayName])])
  const removals = present.flatMap((row): PlannedLine[] => {
    const { name, isSecret, type } = row.fields
    if (name === undefined || named.has(name) || options.keep.has(name)) return []
    return [{ line: 0, name, status: 'removed', reason: null, isSecret: isSecret ?? true, type: type ?? null, entry: null, existing: row }]
  })
  return inNameOrder(removals)
}
