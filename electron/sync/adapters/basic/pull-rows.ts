import { err, ok, type Result } from '../../../bridge/result.ts'
import type { BaseRow, RowKind } from '../../../queue/entry.ts'
import { naturalKey } from '../../../queue/natural-key.ts'
import type { RemoteError } from '../../../remote/remote.ts'
import type { Delta, Failure, Known, PullPage, RemoteParent, RemoteRow } from '../../port.ts'
import { slicesOf } from '../../slices.ts'
import { failureOf, stopsAll } from '../shared/failures.ts'
import { inParallel } from './in-parallel.ts'
import { pagesOf } from './pages-of.ts'
import { isNoList, type RowReader } from './row-reader.ts'

/** How many names are read for one page. */
const sliceSize = 200

/** Reads the rows of a service from its lists, or name by name if it has no lists. */
export class RowPull {
  readonly #reader: RowReader
  readonly #known: Known
  /** The environments that were read. */
  readonly environments: RemoteParent[] = []
  /** The failure that ended the pull, or the first record that the service failed to read; the others are still read. */
  failure: Failure | null = null
  /** Slugs of the projects that the service refused to show, completely or in part. */
  readonly refused = new Set<string>()
  /** Whether nothing more can be read now. */
  isOver = false

  constructor(reader: RowReader, known: Known) {
    this.#reader = reader
    this.#known = known
  }

  /**
   * All rows below a parent at any depth; null: of the whole workspace. `own`: the row of a new parent, which comes with its first children.
   * Others may delete a project or environment after it was listed: shown without its children, it would be kept without them.
   */
  async *below(kind: RowKind, parent: RemoteParent | null, own: readonly Delta[] = []): AsyncGenerator<PullPage, void> {
    const parents: FoundParent[] = []
    yield* this.#level(kind, parent, own, parents)
    for (const { remoteId, slug, own: row } of parents) {
      const path = parent === null ? { project: slug, environment: '' } : { ...parent.path, environment: slug }
      if (kind === 'environment') this.environments.push({ remoteId, path })
      if (this.isOver) yield* pagesOf(row)
      else yield* this.below(kind === 'project' ? 'environment' : 'variable', { remoteId, path }, row)
    }
  }

  /** The rows directly below a parent. Projects and environments are added to `parents`. */
  async *#level(kind: RowKind, parent: RemoteParent | null, own: readonly Delta[], parents: FoundParent[]): AsyncGenerator<PullPage, void> {
    const listed = await this.#reader.list(kind, parent)
    // No list, or no parent any more: the next pull finds out what became of that.
    if (own.length > 0 && !listed.ok && isNoList(listed.error)) {
      const isThere = await this.#reader.hasPath(parent)
      if (isThere.ok && !isThere.value) return
    }
    yield* pagesOf(own)
    if (listed.ok) {
      // If the path now belongs to another record, the answer says nothing: the next pull finds the parent.
      if (listed.value.every((row) => isChildOf(row, parent))) yield* this.#whole(kind, parent, listed.value, parents)
    } else if (listed.error.kind === 'no-route' || (listed.error.kind === 'missing' && parent === null)) {
      for (const asks of slicesOf(this.#childAsks(kind, parent), sliceSize))
        if (!this.isOver) yield* this.#named(kind, parent, asks, parents)
    } else if (listed.error.kind !== 'missing') this.#end(listed.error)
  }

  #end(error: RemoteError): void {
    this.failure ??= failureOf(error)
    this.isOver = true
  }

  /** A whole list, then a read of each known row that it lacks: a list may be incomplete, and a deletion can't be undone. */
  async *#whole(
    kind: RowKind,
    parent: RemoteParent | null,
    listed: readonly RemoteRow[],
    parents: FoundParent[],
  ): AsyncGenerator<PullPage, void> {
    const ids = new Set(listed.map(({ remoteId }) => remoteId))
    const known = this.#known.rows(kind, parent?.remoteId ?? null)
    const unlisted = known.filter(({ remoteId }) => !ids.has(remoteId))
    const checked = await this.#check(kind, parent, unlisted)
    if (!checked.ok) return this.#end(checked.error)
    const rows = [...listed, ...checked.value.found]
    // Deletions come first, so that a new record of the same name doesn't conflict with the deleted one.
    const knownIds = new Set(known.map(({ remoteId }) => remoteId))
    const waits = ({ remoteId }: RemoteRow) => kind !== 'variable' && !knownIds.has(remoteId)
    yield* pagesOf([...checked.value.deleted, ...rows.filter((row) => !waits(row)).map((row) => rowDelta(row, null))])
    if (kind !== 'variable') parents.push(...rows.map((row) => foundParent(row, waits(row) ? [rowDelta(row, null)] : [])))
  }

  /** Reads names one by one. */
  async *#named(kind: RowKind, parent: RemoteParent | null, asks: readonly Ask[], parents: FoundParent[]): AsyncGenerator<PullPage, void> {
    const answers = await inParallel(
      asks,
      async (ask) => ({ ask, read: await this.#reader.read(kind, parent, ask.key) }),
      ({ read }) => !read.ok && stopsAll(read.error),
    )
    const read = new Map<string, RemoteRow>()
    const trackedIds = new Map<string, string | null>()
    for (const answer of answers.filter(Boolean)) {
      if (answer.read.ok) {
        if (!isChildOf(answer.read.value, parent)) continue
        read.set(answer.read.value.remoteId, answer.read.value)
        trackedIds.set(answer.read.value.remoteId, answer.ask.id)
      } else if (stopsAll(answer.read.error)) return this.#end(answer.read.error)
      else if (answer.read.error.kind === 'service-failed') this.failure ??= failureOf(answer.read.error)
      else if (answer.read.error.kind !== 'missing') this.refused.add(parent?.path.project ?? answer.ask.key)
    }
    // A row that was read under another name was renamed, not deleted.
    const unread = answers.flatMap(({ ask: { rows: known }, read: answer }) =>
      answer.ok || answer.error.kind === 'missing' ? known.filter(({ remoteId }) => !read.has(remoteId)) : [],
    )
    const checked = await this.#check(kind, parent, unread)
    if (!checked.ok) return this.#end(checked.error)
    const found = [...read.values(), ...checked.value.found]
    if (kind !== 'variable') parents.push(...found.map((row) => foundParent(row, [])))
    yield* pagesOf([
      ...checked.value.deleted,
      ...found.map((row) => rowDelta(row, trackedIds.get(row.remoteId) ?? null)),
      ...answers.flatMap(trackedDelta),
    ])
  }

  /** Reads known rows that did not come. They are deleted only if their parent is still at its path. */
  async #check(
    kind: RowKind,
    parent: RemoteParent | null,
    rows: readonly BaseRow[],
  ): Promise<Result<{ found: RemoteRow[]; deleted: Delta[] }, RemoteError>> {
    if (rows.length === 0) return ok({ found: [], deleted: [] })
    const wanted = rows.map((row) => ({ remoteId: row.remoteId, keys: [naturalKey(row.kind, row.fields)] }))
    const found = await this.#reader.find(kind, parent, wanted)
    if (!found.ok) return err(found.error)
    const there = found.value
    if (there === null) return ok({ found: [], deleted: [] })
    const deleted = rows.flatMap(({ remoteId }): Delta[] => (there.has(remoteId) ? [] : [{ is: 'deleted', kind, remoteId, by: null }]))
    return ok({ found: [...there.values()], deleted })
  }

  /** All names to read below a parent: those of known rows, tracked names, and those of unsent creates. */
  #childAsks(kind: RowKind, parent: RemoteParent | null): Ask[] {
    const asks = new Map<string, Ask>()
    const remoteId = parent?.remoteId ?? null
    for (const row of this.#known.rows(kind, remoteId)) {
      const key = naturalKey(kind, row.fields)
      if (key !== null) asks.set(key, { key, rows: [...(asks.get(key)?.rows ?? []), row], id: null })
    }
    for (const { id, key } of this.#known.trackedNames(kind, remoteId)) {
      const ask = asks.get(key)
      asks.set(key, { key, rows: ask?.rows ?? [], id: ask?.id ?? id })
    }
    return [...asks.values()]
  }
}

/** A project or environment that was found. `own`: its row; empty if it came before. */
interface FoundParent {
  remoteId: string
  slug: string
  own: readonly Delta[]
}

const foundParent = ({ remoteId, fields: { slug = '' } }: RemoteRow, own: readonly Delta[]): FoundParent => ({ remoteId, slug, own })

/**
 * A name to read. `id`: of the tracked name; null: it is not tracked. `rows`: the known rows of that name. There are two if a new record
 * took the name of a renamed row that has not been read since.
 */
interface Ask {
  key: string
  rows: readonly BaseRow[]
  id: string | null
}

interface Answered {
  ask: Ask
  read: Result<RemoteRow, RemoteError>
}

function trackedDelta({ ask: { id }, read }: Answered): Delta[] {
  if (id === null || (!read.ok && read.error.kind === 'service-failed')) return []
  if (read.ok) return [{ is: 'tracked', id, state: 'there', remoteId: read.value.remoteId }]
  return [{ is: 'tracked', id, state: read.error.kind === 'missing' ? 'missing' : 'refused', remoteId: null }]
}

const rowDelta = (row: RemoteRow, tracked: string | null): Delta => ({ is: 'row', row, tracked })

const isChildOf = (row: RemoteRow, parent: RemoteParent | null): boolean => row.parentRemoteId === (parent?.remoteId ?? null)
