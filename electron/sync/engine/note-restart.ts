import { z } from 'zod'
import { baseChildren } from '../../mirror/base-layer.ts'
import { wasReplaced } from '../../mirror/history-layer.ts'
import { getState, setState, type StateKey } from '../../mirror/workspace-state.ts'
import { parseFields } from '../../mirror/row-codec.ts'
import type { Tx } from '../../mirror/tx.ts'
import type { BaseRow, RowKind } from '../../queue/entry.ts'
import { changedFields, mergeableOf, type Fields } from '../../queue/fields.ts'

/** A row that changed here because the service was restored from a backup. */
export interface RestartedRow {
  id: string
  kind: RowKind
  /** Its parent now, or the last one of a deleted row. */
  parentId: string | null
  /** For a variable, with `parent`. null: it did not exist here. It was deleted before the restart, or others made it. */
  before: Fields | null
  /** For a variable, with `parent`. null: it is deleted. */
  after: Fields | null
  /** When the service last wrote it, as `before` and as `after`. */
  writtenBefore: string | null
  writtenAfter: string | null
}

/** Returns the change of a row from one base row to another; empty: the row does not exist. */
export function changeBetween(tx: Tx, before: BaseRow | null, after: BaseRow | null): RestartedRow[] {
  const row = after ?? before
  if (row === null) return []
  const fields = { before: before && mergeableOf(before), after: after && mergeableOf(after) }
  const written = { writtenBefore: before?.updatedAt ?? null, writtenAfter: after?.updatedAt ?? null }
  const change = { id: row.id, kind: row.kind, parentId: row.parentId, ...fields, ...written }
  if (change.before === null || after === null || !isWrittenSince(change)) return [change]
  const undone = undoneOf(tx, change.before, after)
  // A colleague changed other fields after the restore.
  return Object.keys(undone).length === 0 ? [change] : [{ ...change, before: { ...change.after, ...undone }, writtenBefore: null }]
}

/**
 * Returns the fields that the backup has undone of a row that a colleague has written since. A value: if it had been replaced here before, in
 * the same bytes. Somebody who types it again seals it anew. Secrecy: also if a colleague ended it, because no secret may be shown by mistake.
 */
function undoneOf(tx: Tx, before: Fields, { id, fields: { value, isSecret } }: Pick<BaseRow, 'id' | 'fields'>): Fields {
  const hasReturned = value !== undefined && wasReplaced(tx, id, value.sealed)
  const isShown = before.isSecret === true && isSecret === false
  return { ...(hasReturned && before.value && { value: before.value }), ...(isShown && { isSecret: true }) }
}

type Deleted = Pick<RestartedRow, 'id' | 'before' | 'writtenBefore'>

/**
 * Returns the fields to send to a row that now has the name of a deleted one. If it was written later, a colleague created it, and only what
 * the backup has undone differs from its own fields.
 */
export function fieldsInPlace(
  tx: Tx,
  deleted: Deleted,
  { after, writtenAfter }: Pick<RestartedRow, 'after' | 'writtenAfter'>,
): Fields | null {
  const { id, before, writtenBefore } = deleted
  if (before === null || after === null || !isWrittenSince({ writtenBefore, writtenAfter })) return before
  return { ...after, ...undoneOf(tx, before, { id, fields: after }) }
}

/** Returns a base row and all rows that are deleted with it. */
export const withDescendants = (tx: Tx, row: BaseRow): BaseRow[] => [
  row,
  ...baseChildren(tx, row.id).flatMap((child) => withDescendants(tx, child)),
]

/** The rows that changed here because the service was restored from a backup. */
export interface RestartNote {
  at: number
  /** Whether everything on the service has been read since. */
  isWhole: boolean
  rows: RestartedRow[]
  /** Whether more rows may have changed than a note lists. */
  isCut: boolean
}

/** How many rows a note lists at the most. */
const mostRows = 5000

const fields = z.unknown().transform((value): Fields => parseFields(JSON.stringify(value)))
const time = z.string().nullable().default(null)
const rowsSchema = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(['project', 'environment', 'variable']),
    parentId: z.string().nullable(),
    before: fields.nullable(),
    after: fields.nullable(),
    writtenBefore: time,
    writtenAfter: time,
  }),
)
const readPage = (tx: Tx, key: StateKey): RestartedRow[] => rowsSchema.parse(JSON.parse(getState(tx, key) ?? '[]'))

/** The rows are stored in pages, so that adding some rewrites none. */
const headSchema = z.object({
  at: z.number(),
  isWhole: z.boolean(),
  count: z.number(),
  pages: z.number(),
})
type Head = z.infer<typeof headSchema>

function readHead(tx: Tx): Head | null {
  const text = getState(tx, 'restart')
  return text === null ? null : headSchema.parse(JSON.parse(text))
}

const writeHead = (tx: Tx, head: Head): void => setState(tx, 'restart', JSON.stringify(head))

const pagesOf = ({ pages }: Head) => Array.from({ length: pages }, (_, at) => `restart-page-${at}` as const)

/** Records the changes of every pull until `endRestart` or `noteOnly`, in addition to those that the user has not read yet. */
export function beginRestart(tx: Tx, at: number): void {
  writeHead(tx, { ...(readHead(tx) ?? { count: 0, pages: 0 }), at, isWhole: false })
  setState(tx, 'restarting', 'yes')
}

/** Whether the changes of a pull are being recorded. */
export const isNoting = (tx: Tx): boolean => getState(tx, 'restarting') !== null

const idsSchema = z.array(z.string())

/** Returns the ids of the rows whose changes are recorded; null: all rows. */
function idsNoted(tx: Tx): ReadonlySet<string> | null {
  const text = getState(tx, 'restarting')
  return text === null || text === 'yes' ? null : new Set(idsSchema.parse(JSON.parse(text)))
}

/**
 * From now on, records only the changes of rows that a whole read after the restart has held back, by their ids. All other rows are as the
 * restored service had them: what changes them later is the work of members.
 */
export function noteOnly(tx: Tx, held: ReadonlySet<string>): void {
  if (!isNoting(tx)) return
  const before = idsNoted(tx)
  setState(tx, 'restarting', JSON.stringify([...held].filter((id) => before?.has(id) ?? true)))
}

/**
 * Remembers rows that answers to changes have written, until the next page of a pull: it shows whether the service was restored before
 * those answers. Stored in pages, as the note is.
 */
export function noteAnswered(tx: Tx, changes: readonly RestartedRow[]): void {
  const { count, pages } = readAnswered(tx)
  const added = changes.filter(isChanged).slice(0, mostRows - count)
  if (added.length === 0) return
  setState(tx, `answered-page-${pages}`, JSON.stringify(added))
  setState(tx, 'answered', JSON.stringify({ count: count + added.length, pages: pages + 1 }))
}

const answeredSchema = z.object({ count: z.number(), pages: z.number() })
const readAnswered = (tx: Tx) => answeredSchema.parse(JSON.parse(getState(tx, 'answered') ?? '{"count":0,"pages":0}'))

/** Records rows that a page of a pull after a restart changed, and those that answers had written before. Ends the wait for such a pull. */
export function noteRestart(tx: Tx, pulled: readonly RestartedRow[]): void {
  const { pages } = readAnswered(tx)
  for (let at = 0; at < pages; at++) {
    if (isNoting(tx)) addToNote(tx, readPage(tx, `answered-page-${at}`))
    setState(tx, `answered-page-${at}`, null)
  }
  if (pages > 0) setState(tx, 'answered', null)
  if (isNoting(tx)) addToNote(tx, pulled)
}

function addToNote(tx: Tx, changes: readonly RestartedRow[]): void {
  const head = changes.length === 0 ? null : readHead(tx)
  if (head === null) return
  const ids = idsNoted(tx)
  const noted = ids === null ? changes : changes.filter(({ id }) => ids.has(id))
  const more = noted.filter(isChanged).slice(0, mostRows - head.count)
  if (more.length === 0) return
  setState(tx, `restart-page-${head.pages}`, JSON.stringify(more))
  writeHead(tx, { ...head, count: head.count + more.length, pages: head.pages + 1 })
}

/** Deletes the note that the user has decided on, and returns its rows. null: the service was restored again after that note. */
export function takeRestart(tx: Tx, at: number): RestartedRow[] | null {
  const note = readRestart(tx)
  if (note === null) return []
  if (note.at !== at || !note.isWhole) return null
  dropRestart(tx)
  return note.rows
}

function dropRestart(tx: Tx): void {
  const head = readHead(tx)
  if (head !== null) for (const page of pagesOf(head)) setState(tx, page, null)
  setState(tx, 'restart', null)
}

/** Stops recording: everything has been read. An empty note is deleted, another one waits for the user. */
export function endRestart(tx: Tx): void {
  if (!isNoting(tx)) return
  setState(tx, 'restarting', null)
  const head = readHead(tx)
  if (head === null) return
  if (readRows(tx, head).length === 0) dropRestart(tx)
  else writeHead(tx, { ...head, isWhole: true })
}

/** Returns the unread note about the last restart of the service; null: there is none. */
export function readRestart(tx: Tx): RestartNote | null {
  const head = readHead(tx)
  if (head === null) return null
  const { at, isWhole } = head
  return {
    at,
    isWhole,
    isCut: head.count >= mostRows,
    rows: readRows(tx, head),
  }
}

/** Returns each recorded row once: as it was before the first of its changes, and after the last that no colleague made. */
function readRows(tx: Tx, head: Head): RestartedRow[] {
  const rows = new Map<string, RestartedRow>()
  for (const row of pagesOf(head).flatMap((page) => readPage(tx, page))) {
    const earlier = rows.get(row.id)
    // If the row was edited between two restarts, that edit is what the second one undid.
    const isSequel = earlier !== undefined && !isChanged({ before: earlier.after, after: row.before })
    const whole = isSequel ? { ...row, before: earlier.before, writtenBefore: earlier.writtenBefore } : row
    if (!isWrittenSince(whole)) rows.set(row.id, whole)
  }
  return [...rows.values()].filter(isChanged)
}

/** Whether a row was written after the latest state known here. A backup brings back only earlier states. */
const isWrittenSince = ({ writtenBefore, writtenAfter }: Pick<RestartedRow, 'writtenBefore' | 'writtenAfter'>): boolean =>
  writtenBefore !== null && writtenAfter !== null && Date.parse(writtenAfter) > Date.parse(writtenBefore)

function isChanged({ before, after }: Pick<RestartedRow, 'before' | 'after'>): boolean {
  if (before === null || after === null) return before !== after
  return Object.keys(changedFields(before, after)).length > 0
}
