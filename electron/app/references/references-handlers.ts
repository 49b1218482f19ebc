import type { AppError } from '../../bridge/app-error.ts'
import type { Queries } from '../../bridge/contract.ts'
import { ok, type Result } from '../../bridge/result.ts'
import type { ReferenceFlag, ResolvedValue, Suggestion } from '../../bridge/rows.ts'
import type { WorkspaceCipher } from '../../cipher/workspace-cipher.ts'
import { seenNow } from '../../mirror/past-layer.ts'
import { compareNames } from '../../mirror/reads/compare-names.ts'
import { namesLike } from '../../mirror/reads/names-like.ts'
import type { Tx } from '../../mirror/tx.ts'
import { findWorking, getVariable, getWorking, workingChildren, workingRows } from '../../mirror/working-layer.ts'
import { isVariable, type Variable } from '../../queue/entry.ts'
import { evaluate, type Book, type Entry } from '../../references/evaluate.ts'
import { isReferable, outlineOf, renameReferences } from '../../references/parse-value.ts'
import type { AppContext } from '../app-context.ts'
import { edit } from '../edits/edit.ts'
import type { EditContext } from '../edits/edit-context.ts'
import { invalid, notFound } from '../edits/refusals.ts'
import type { Handlers } from '../handlers.ts'
import type { RowImage } from '../undo/step.ts'
import { updateVariable } from '../variables/edit-variable.ts'
import { inSession } from '../workspaces/in-session.ts'
import { requireCipher } from '../workspaces/require-cipher.ts'
import type { WorkspaceSession } from '../workspaces/workspace-session.ts'
import { openBook } from './open-book.ts'
import { createOutlineCache, warmOutlines, type OutlineCache } from './outline-cache.ts'

type ReferencesHandlers = Pick<
  Handlers,
  'references.resolve' | 'references.preview' | 'references.suggest' | 'references.problems' | 'references.outdated' | 'references.rename'
>

/** Shows values with their references resolved, suggests names while typing, flags broken references, and renames references. */
export const referencesHandlers = (context: AppContext): ReferencesHandlers => {
  const outlines = createOutlineCache()
  return {
    'references.resolve': ({ workspaceId, id, reveal }) =>
      inSession(context, workspaceId, (session) => resolve(session, outlines, id, reveal, context.settings.get().maskAll)),
    'references.preview': ({ workspaceId, ...args }) =>
      inSession(context, workspaceId, (session) => preview(session, outlines, args, context.settings.get().maskAll)),
    'references.suggest': ({ workspaceId, environmentId, text }) =>
      inSession(context, workspaceId, (session) => suggest(session, environmentId, text)),
    'references.problems': ({ workspaceId, environmentId }) =>
      inSession(context, workspaceId, (session) => flag(session, outlines, environmentId)),
    'references.outdated': ({ workspaceId, renamed }) =>
      inSession(context, workspaceId, (session) => findOutdated(session, outlines, renamed)),
    'references.rename': ({ workspaceId, renamed, ids }) =>
      edit(
        context,
        workspaceId,
        ['variables'],
        (tx, editContext, session) => {
          const cipher = requireCipher(session)
          return cipher.ok ? renameIn(tx, editContext, cipher.value, renamed, ids) : cipher
        },
        (images) => renameLabel(images, renamed),
        ({ images }) => images.length === 1 && renamingOf(images, renamed) !== undefined,
      ),
  }
}

function resolve(
  session: WorkspaceSession,
  outlines: OutlineCache,
  id: string,
  reveal: boolean,
  maskAll: boolean,
): Result<ResolvedValue, AppError> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  return session.mirror.snapshot((tx) => {
    const row = getVariable(tx, id)
    if (row === null) return notFound('variable')
    const book = openBook(tx, cipher.value, outlines)
    return ok(shown(book.entryOf(row), book, book.open, reveal, maskAll))
  })
}

/** A new variable that is being typed: no other variable refers to it. */
const notYet = { id: '', name: '' }

/** Resolves a value that is being typed. `id`: its variable, so that a reference back to it is a circle; null: a new variable. */
function preview(
  session: WorkspaceSession,
  outlines: OutlineCache,
  { environmentId, id, text, reveal }: Omit<Queries['references.preview']['args'], 'workspaceId'>,
  maskAll: boolean,
): Result<ResolvedValue, AppError> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  return session.mirror.snapshot((tx) => {
    if (getWorking(tx, environmentId)?.kind !== 'environment') return notFound('environment')
    const book = openBook(tx, cipher.value, outlines)
    const row = id === null ? null : getVariable(tx, id)
    const known = row === null ? notYet : { id: row.id, name: row.fields.name }
    const entry: Entry = { ...known, scope: environmentId, isSecret: false, outline: outlineOf(text) }
    return ok(shown(entry, book, (one) => (one === entry.id ? text : book.open(one)), reveal, maskAll))
  })
}

function shown(entry: Entry, book: Book, open: (id: string) => string | null, reveal: boolean, maskAll: boolean): ResolvedValue {
  const evaluation = evaluate([entry], book)
  const verdict = evaluation.verdictOf(entry.id)
  const about = { hasReferences: (entry.outline?.sources.length ?? 0) > 0, problems: evaluation.problemsOf(entry.id) }
  if (entry.outline === null) return { state: 'unreadable', value: null, ...about }
  if (verdict.isTooLarge || evaluation.totalSize > totalLimit) return { state: 'too-large', value: null, ...about }
  if ((verdict.isSecret || maskAll) && !reveal) return { state: 'masked', value: null, ...about }
  const value = evaluation.texts(open).get(entry.id)
  return value === undefined ? { state: 'unreadable', value: null, ...about } : { state: 'shown', value, ...about }
}

/** The most that all values that one value refers to may have together, in UTF-16 units. */
const totalLimit = 20_000_000

const suggestionLimit = 50

async function suggest(session: WorkspaceSession, environmentId: string, text: string): Promise<Result<Suggestion[], AppError>> {
  const { mirror } = session
  const places = mirror.snapshot((tx) => {
    const here = getWorking(tx, environmentId)
    if (here?.kind !== 'environment') return null
    return workingChildren(tx, 'environment', here.parentId).filter(({ id }) => id !== environmentId)
  })
  if (places === null) return notFound('environment')
  const namesIn = async (id: string, environment: string | null, part: string): Promise<Suggestion[]> => {
    const prefix = environment === null ? '' : `${environment}.`
    return (await namesLike(mirror, id, part, suggestionLimit))
      .filter(({ name }) => isReferable(`${prefix}${name}`))
      .map(({ name, is_secret }) => ({ insert: `${prefix}${name}`, environment, isSecret: is_secret === null ? null : is_secret === 1 }))
  }
  const suggestions = await namesIn(environmentId, null, text)
  const named = places.flatMap(({ id, fields: { slug } }) => (slug === undefined ? [] : [{ id, slug }]))
  for (const { id, slug } of named.toSorted((a, b) => compareNames(a.slug, b.slug))) {
    if (suggestions.length >= suggestionLimit) break
    // Suggest names of another environment only after its slug was typed: otherwise each name would be suggested several times.
    if (text.startsWith(`${slug}.`)) suggestions.push(...(await namesIn(id, slug, text.slice(slug.length + 1))))
    else if (text !== '' && slug.startsWith(text.toLowerCase())) suggestions.push(...(await namesIn(id, slug, '')))
  }
  return ok(suggestions.slice(0, suggestionLimit))
}

async function flag(session: WorkspaceSession, outlines: OutlineCache, environmentId: string): Promise<Result<ReferenceFlag[], AppError>> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  const ids = await warmOutlines(session.mirror, cipher.value, outlines, environmentId)
  return session.mirror.snapshot((tx) => {
    if (getWorking(tx, environmentId)?.kind !== 'environment') return notFound('environment')
    const book = openBook(tx, cipher.value, outlines)
    // Most values have no reference: reading the rows of all would take longer than everything else.
    const rows = workingRows(tx, ids)
    const entries = ids
      .map((id) => rows.get(id) ?? null)
      .filter((row) => isVariable(row))
      .map(book.entryOf)
    // An unreadable value has its own flag. It counts here only if a reference leads to it.
    const roots = entries.filter((entry) => entry.outline !== null && entry.outline.sources.length > 0)
    const evaluation = evaluate(roots, book)
    return ok(
      roots.flatMap(({ id }) => {
        const kinds = [...evaluation.verdictOf(id).kinds]
        return kinds.length === 0 ? [] : [{ id, kinds }]
      }),
    )
  })
}

/** A variable and its former name. */
interface Renamed {
  id: string
  from: string
}

/**
 * Returns the new references to a variable by the former ones, as written in the environment `scope`. Leaves out those that would mean
 * another variable, before or after.
 */
function renamesIn(tx: Tx, scope: string, variable: Variable, from: string): Map<string, string> {
  const to = variable.fields.name
  const home = getWorking(tx, variable.parentId)
  const isFree = (environmentId: string, name: string) => findWorking(tx, 'variable', environmentId, name) === null
  if (home === null || getWorking(tx, scope)?.parentId !== home.parentId || !isFree(home.id, from)) return new Map()
  const { slug } = home.fields
  // There, a variable whose whole name is written so is the one that is meant.
  const isQualified = slug !== undefined && [from, to].every((name) => isFree(scope, `${slug}.${name}`))
  return new Map([
    ...(scope === home.id ? [[from, to] as const] : []),
    ...(isQualified ? [[`${slug}.${from}`, `${slug}.${to}`] as const] : []),
  ])
}

async function findOutdated(
  session: WorkspaceSession,
  outlines: OutlineCache,
  renamed: Renamed,
): Promise<Result<{ id: string; environmentId: string }[], AppError>> {
  const cipher = requireCipher(session)
  if (!cipher.ok) return cipher
  const { mirror } = session
  const scopes = mirror.snapshot((tx) => {
    const variable = getVariable(tx, renamed.id)
    const home = variable === null ? null : getWorking(tx, variable.parentId)
    return home === null ? null : workingChildren(tx, 'environment', home.parentId).map(({ id }) => id)
  })
  if (scopes === null) return notFound('variable')
  const found: { id: string; environmentId: string }[] = []
  for (const environmentId of scopes) {
    const ids = await warmOutlines(mirror, cipher.value, outlines, environmentId)
    mirror.snapshot((tx) => {
      const variable = getVariable(tx, renamed.id)
      if (variable === null) return
      const book = openBook(tx, cipher.value, outlines)
      const former = [...renamesIn(tx, environmentId, variable, renamed.from).keys()]
      const rows = workingRows(tx, ids)
      for (const id of ids) {
        const row = rows.get(id) ?? null
        const sources = isVariable(row) ? (book.entryOf(row).outline?.sources ?? []) : []
        if (former.some((source) => sources.includes(source))) found.push({ id, environmentId })
      }
    })
  }
  return ok(found)
}

function renameIn(
  tx: Tx,
  context: EditContext,
  cipher: WorkspaceCipher,
  renamed: Renamed,
  ids: readonly string[],
): Result<{ names: string[] }> {
  const variable = getVariable(tx, renamed.id)
  if (variable === null) return notFound('variable')
  const to = variable.fields.name
  if (!isReferable(to)) return invalid('name', `References can’t use the name “${to}”. Rename the variable first.`)
  const names: string[] = []
  const rows = ids.map((id) => getVariable(tx, id)).filter((row) => row !== null)
  for (const [scope, inScope] of Map.groupBy(rows, ({ parentId }) => parentId)) {
    const renames = renamesIn(tx, scope, variable, renamed.from)
    for (const { id, fields } of inScope) {
      const text = fields.value === undefined ? null : cipher.open(fields.value.sealed)
      const value = text === null ? null : renameReferences(text, renames)
      // A value without the reference may refer to the variable through another one: it needs no change.
      if (value === null) continue
      const done = updateVariable(tx, context, cipher, { id, seen: seenNow, value })
      if (!done.ok) return done
      names.push(fields.name)
    }
  }
  return ok({ names })
}

const renamingOf = (images: readonly RowImage[], { id, from }: Renamed) =>
  images.find((image) => image.id === id && image.before?.name === from && image.after !== null)

function renameLabel(images: readonly RowImage[], renamed: Renamed): string {
  const renaming = renamingOf(images, renamed)
  return renaming === undefined
    ? `Rename references to ${renamed.from}`
    : `Rename ${renamed.from} to ${renaming.after?.name} and its references`
}
