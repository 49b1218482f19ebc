import type { AppError } from '../../bridge/app-error.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { ReferenceProblem, RefusedName } from '../../bridge/rows.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking, workingChildren } from '../../mirror/working-layer.ts'
import { evaluate } from '../../references/evaluate.ts'
import type { Row } from '../../sync/change.ts'
import type { ExportEntry } from '../../transfer/export/export-entry.ts'
import { notFound } from '../edits/refusals.ts'
import { openBook, type OpenBook } from '../references/open-book.ts'
import { createOutlineCache } from '../references/outline-cache.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'

export interface ReadEnvironment {
  /** By name. */
  entries: ExportEntry[]
  /** What cannot be read, or not be resolved, by name. */
  refused: RefusedName[]
  /** The slugs of its project and itself, to name a file or an object by. */
  title: string
}

/** All values of an environment in plain text, as one consistent state; with `resolve`, references replaced by what they mean. */
export function readEnvironment(
  session: WorkspaceSession,
  environmentId: string,
  { resolve, names }: { resolve: boolean; names?: readonly string[] | undefined },
): Result<ReadEnvironment, AppError> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  const wanted = names && new Set(names)
  return session.mirror.snapshot((tx) => {
    const environment = getWorking(tx, environmentId)
    if (environment?.kind !== 'environment') return notFound('environment')
    const rows = workingChildren(tx, 'variable', environmentId)
      .filter(({ fields: { name } }) => name !== undefined && (wanted === undefined || wanted.has(name)))
      .toSorted((a, b) => ((a.fields.name ?? '') < (b.fields.name ?? '') ? -1 : 1))
    const valueOf = resolve
      ? resolved(openBook(tx, cipher.value, createOutlineCache()), rows)
      : ({ fields: { value } }: Row) => plain(value === undefined ? null : cipher.value.open(value.sealed))
    const entries: ExportEntry[] = []
    const refused: RefusedName[] = []
    for (const row of rows) {
      const name = row.fields.name ?? ''
      const found = valueOf(row)
      if ('refusal' in found) refused.push({ name, reason: found.refusal })
      else entries.push({ name, value: found.value, type: row.fields.type ?? null })
    }
    return ok({ entries, refused, title: titleOf(tx, environment) })
  })
}

type Found = { value: string } | { refusal: string }

const plain = (value: string | null): Found =>
  value === null ? { refusal: 'The key of this workspace does not open its value.' } : { value }

/** What all resolved values may hold together, in UTF-16 units. */
const totalLimit = 50_000_000

function resolved(book: OpenBook, rows: readonly Row[]): (row: Row) => Found {
  const evaluation = evaluate(rows.map(book.entryOf), book)
  if (evaluation.totalSize > totalLimit) {
    return () => ({ refusal: 'Resolved, all values together are too large. Export fewer variables, or without resolving references.' })
  }
  const texts = evaluation.texts(book.open)
  return ({ id }) => {
    const [problem] = evaluation.verdictOf(id).kinds.size === 0 ? [] : evaluation.problemsOf(id)
    return problem === undefined ? plain(texts.get(id) ?? null) : { refusal: sentenceOf(problem) }
  }
}

function sentenceOf({ kind, path }: ReferenceProblem): string {
  if (kind === 'unreadable' && path.length === 1) return 'The key of this workspace does not open its value.'
  const trail = path.slice(1).join(' → ')
  if (kind === 'missing') return `It refers to ${trail}, which is not there.`
  if (kind === 'circular') return `It refers to ${trail}, which leads back to itself.`
  if (kind === 'unreadable') return `It refers to ${trail}, which the key of this workspace does not open.`
  return path.length === 1 ? 'Resolved, it is too large.' : `It refers to ${trail}, which is too large when resolved.`
}

function titleOf(tx: Tx, environment: Row): string {
  const project = environment.parentId === null ? null : getWorking(tx, environment.parentId)
  const parts = [project?.fields.slug, environment.fields.slug].filter((slug) => slug !== undefined)
  const safe = parts.join('-').replace(/[^\p{L}\p{N}_-]+/gu, '-')
  return safe === '' ? 'variables' : safe.slice(0, 150)
}
