import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AppError } from '../../bridge/app-error.ts'
import { isUnverified } from '../../cipher/stored-value.ts'
import { err, ok, type Result } from '../../bridge/result.ts'
import type { ReferenceProblem, RefusedName } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import type { Tx } from '../../mirror/tx.ts'
import { newestRev } from '../../mirror/past-layer.ts'
import { rowsOfEnvironment } from '../../mirror/reads/rows-of-environment.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { evaluate, type Entry } from '../../references/evaluate.ts'
import type { Row, Variable } from '../../queue/entry.ts'
import type { ExportEntry } from '../../transfer/export/export-entry.ts'
import { notFound } from '../edits/refusals.ts'
import { cancelled } from '../jobs.ts'
import { openBook, type OpenBook } from '../references/open-book.ts'
import { createOutlineCache } from '../references/outline-cache.ts'

export interface ReadEnvironment {
  /** By name. */
  entries: ExportEntry[]
  /** The variables that can't be read or resolved, or were asked for and don't exist. */
  refused: RefusedName[]
  /** The slugs of its project and itself, as the name of a file or an object. */
  title: string
  /** The revision of the mirror at which it was read. */
  rev: number
}

/**
 * Reads all values of an environment in plain text, as one consistent state, in slices of a few milliseconds. With `resolve`, references
 * are replaced by the values they refer to. Errors: `not-found`, `cancelled`.
 */
export async function readEnvironment(
  mirror: Mirror,
  cipher: WorkspaceCipher,
  environmentId: string,
  { resolve, names, signal }: { resolve: boolean; names?: readonly string[] | undefined; signal: AbortSignal },
): Promise<Result<ReadEnvironment, AppError>> {
  const wanted = names && new Set(names)
  return mirror.lasting(async (tx): Promise<Result<ReadEnvironment, AppError>> => {
    const environment = getWorking(tx, environmentId)
    if (environment?.kind !== 'environment') return notFound('environment')
    const book = openBook(tx, cipher, createOutlineCache())
    const found: { row: Variable; value: string | null; entry: Entry | null }[] = []
    for (const slice of rowsOfEnvironment(tx, environmentId)) {
      for (const row of slice) {
        if (wanted !== undefined && !wanted.has(row.fields.name)) continue
        const { value } = row.fields
        found.push({ row, value: value === undefined ? null : cipher.open(value.sealed), entry: resolve ? book.entryOf(row) : null })
      }
      await nextTurn()
      if (signal.aborted) return err(cancelled)
    }
    const exported = new Set(found.map(({ row }) => row.fields.name))
    const missing = [...(wanted ?? [])].filter((name) => !exported.has(name))
    // A value is longer than its outline where it has a reference, or a `$${`.
    const referring = found.flatMap(({ entry, value }) => (entry?.outline && entry.outline.length !== value?.length ? [entry] : []))
    const resolvedOf = resolved(book, referring)
    const entries: ExportEntry[] = []
    const refused: RefusedName[] = missing.map((name) => ({ name, reason: 'It’s no longer in this environment.' }))
    for (const { row, value } of found) {
      const { name } = row.fields
      const outcome =
        resolvedOf(row.id) ?? plain(value, { isDoubted: row.fields.value !== undefined && isUnverified(row.fields.value.sealed) })
      if ('refusal' in outcome) refused.push({ name, reason: outcome.refusal })
      else
        entries.push({
          name,
          value: outcome.value,
          type: row.fields.type ?? null,
          isPlain: row.fields.isSecret === false && !outcome.holdsSecret,
        })
    }
    return ok({ entries, refused, title: titleOf(tx, environment), rev: newestRev(tx) })
  })
}

/** `holdsSecret`: a secret value was inserted by a reference. */
type Found = { value: string; holdsSecret: boolean } | { refusal: string }

const plain = (value: string | null, { isDoubted = false, holdsSecret = false } = {}): Found => {
  if (value !== null) return { value, holdsSecret }
  return { refusal: isDoubted ? 'Its value is Unverified. Accept or restore it first.' : 'This workspace’s key can’t read its value.' }
}

/** The most that all resolved values together may have, in UTF-16 units. */
const totalLimit = 50_000_000

/** Returns a function that returns the resolved text, or the refusal, of a value with references; null for all other ids. */
function resolved(book: OpenBook, referring: readonly Entry[]): (id: string) => Found | null {
  if (referring.length === 0) return () => null
  const roots = new Set(referring.map(({ id }) => id))
  const evaluation = evaluate(referring, book)
  if (evaluation.totalSize > totalLimit) {
    const refusal = 'All resolved values together are too large. Export fewer variables, or turn off Resolve references.'
    return (id) => (roots.has(id) ? { refusal } : null)
  }
  const texts = evaluation.texts(book.open)
  return (id) => {
    if (!roots.has(id)) return null
    const { kinds, isSecret } = evaluation.verdictOf(id)
    const problems = kinds.size === 0 ? [] : evaluation.problemsOf(id)
    return problems.length === 0 ? plain(texts.get(id) ?? null, { holdsSecret: isSecret }) : { refusal: refusalOf(problems) }
  }
}

const namedAtMost = 5

function refusalOf(problems: readonly ReferenceProblem[]): string {
  const [only, ...more] = problems
  if (only !== undefined && more.length === 0) return sentenceOf(only)
  const named = problems.slice(0, namedAtMost).map((problem) => `${trailOf(problem) || 'itself'} (${shortWords[problem.kind]})`)
  const unnamed = problems.length - named.length
  return `It has ${problems.length} broken references: ${named.join(', ')}${unnamed > 0 ? ` and ${unnamed} more` : ''}.`
}

const shortWords: { readonly [K in ReferenceProblem['kind']]: string } = {
  missing: 'not defined',
  circular: 'refers back to itself',
  unreadable: 'can’t be read',
  unverified: 'Unverified',
  'too-large': 'too large',
}

const trailOf = ({ path }: ReferenceProblem): string => path.slice(1).join(' › ')

function sentenceOf(problem: ReferenceProblem): string {
  const { kind, path } = problem
  const trail = trailOf(problem)
  if (kind === 'missing') return `It refers to ${trail}, which isn’t defined.`
  if (kind === 'circular') return `It refers to ${trail}, which refers back to itself.`
  if (kind === 'unreadable') return `It refers to ${trail}, which this workspace’s key can’t read.`
  if (kind === 'unverified') return `It refers to ${trail}, which is Unverified. Accept or restore that first.`
  return path.length === 1 ? 'It’s too large when resolved.' : `It refers to ${trail}, which is too large when resolved.`
}

function titleOf(tx: Tx, environment: Row): string {
  const project = environment.parentId === null ? null : getWorking(tx, environment.parentId)
  const parts = [project?.fields.slug, environment.fields.slug].filter((slug) => slug !== undefined)
  const safe = parts.join('-').replace(/[^\p{L}\p{N}_-]+/gu, '-')
  return safe === '' ? 'variables' : safe.slice(0, 150)
}
