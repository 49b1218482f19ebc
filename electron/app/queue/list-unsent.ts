import { getBase } from '../../mirror/base-layer.ts'
import type { Mirror } from '../../mirror/mirror.ts'
import { queueInOrder } from '../../mirror/queue-layer.ts'
import { readEntries } from '../../mirror/reads/read-queue.ts'
import { takeTurns } from '../../mirror/reads/take-turns.ts'
import type { Tx } from '../../mirror/tx.ts'
import { getWorking } from '../../mirror/working-layer.ts'
import { isOperation, type Change, type Entry, type Operation } from '../../queue/entry.ts'
import { editedFields, isOnlyReseal, type Fields } from '../../queue/fields.ts'
import { naturalKey } from '../../queue/natural-key.ts'
import { toQueueRow, whereOf } from './describe-change.ts'
import type { Place, UnsentEdit, UnsentFields } from './unsent-file.ts'

export interface Unsent {
  edits: UnsentEdit[]
  requests: string[]
}

/** Which unsent edits to list: all, those of and below an environment, or those of and below the row of one change. */
export interface Which {
  environmentId?: string | undefined
  changeId?: string | undefined
}

/**
 * Returns the unsent edits, identified by names and slugs, and lets other work run in between. Values stay sealed. A value that is only
 * sealed again is no edit: applying it would put it over what others wrote since.
 */
export function listUnsent(mirror: Pick<Mirror, 'lasting'>, which: Which): Promise<Unsent> {
  return mirror.lasting(async (tx) => {
    const all = await readEntries(tx, queueInOrder)
    const isWanted = wantedOf(all, which)
    const places = placesIn(tx, all)
    const turn = takeTurns()
    const unsent: Unsent = { edits: [], requests: [] }
    for (const queued of all) {
      await turn()
      if (!isWanted(queued)) continue
      if (isOperation(queued)) unsent.requests.push(wordsOf(tx, queued))
      else {
        const edit = toEdit(queued, places.get)
        if (edit !== null) unsent.edits.push(edit)
        places.follow(queued)
      }
    }
    return unsent
  })
}

function wordsOf(tx: Tx, operation: Operation): string {
  const { kind, name } = toQueueRow(tx, operation)
  return [kind, name, whereOf(tx, operation)].filter((part) => part !== '').join(' · ')
}

function wantedOf(all: readonly Entry[], { environmentId, changeId }: Which): (queued: Entry) => boolean {
  if (changeId !== undefined) {
    const rowId = all.find((queued) => queued.id === changeId)?.rowId
    return (queued) => queued.rowId === rowId || (rowId !== undefined && queued.ancestors.includes(rowId))
  }
  if (environmentId === undefined) return () => true
  return (queued) => queued.rowId === environmentId || queued.ancestors.includes(environmentId)
}

function toEdit(change: Change, placeOf: PlaceOf): UnsentEdit | null {
  if (isOnlyReseal(change.patch)) return null
  const { parent, ...whole }: Fields = { ...change.base, ...change.patch }
  const key = naturalKey(change.rowKind, change.base ?? {}) ?? naturalKey(change.rowKind, whole)
  if (key === null) return null
  const [nearest, second] = change.ancestors
  const environment = change.rowKind === 'variable' ? placeOf(nearest) : undefined
  const project = placeOf(change.rowKind === 'variable' ? second : nearest)
  const [leftEnvironment, leftProject] = parent === undefined ? [] : change.leaves.map(placeOf)
  return {
    kind: change.kind,
    subject: change.rowKind,
    ...(project && { project }),
    ...(environment && { environment }),
    ...(leftEnvironment && leftProject && { from: { project: leftProject, environment: leftEnvironment } }),
    key,
    set: toFile(editedFields(change.patch)),
    whole: toFile(whole),
    madeAt: new Date(change.createdAt).toISOString(),
  }
}

type PlaceOf = (id: string | undefined) => Place | undefined

interface Places {
  /** Returns the place of a project or environment for the edits that come next. */
  get: PlaceOf
  /** Goes on behind an edit, which may give its row another slug. */
  follow(edit: Change): void
}

/**
 * Returns the names of projects and environments as the user sees them, with the slugs that they have at each edit: from base, else from
 * their create, with the edits before it. Reads each once.
 */
function placesIn(tx: Tx, all: readonly Entry[]): Places {
  const creates = all.filter((queued): queued is Change => queued.kind === 'create' && queued.rowKind !== 'variable')
  const made = new Map(creates.toReversed().map(({ rowId, patch }) => [rowId, patch]))
  const known = new Map<string, Place | undefined>()
  const get: PlaceOf = (id) => {
    if (id === undefined) return undefined
    if (known.has(id)) return known.get(id)
    const shown = (getWorking(tx, id) ?? getBase(tx, id))?.fields ?? made.get(id)
    const slug = getBase(tx, id)?.fields.slug ?? made.get(id)?.slug ?? shown?.slug
    const place = slug === undefined ? undefined : withLater({ name: shown?.name ?? slug, slug }, shown?.slug ?? slug)
    known.set(id, place)
    return place
  }
  const follow = ({ rowKind, rowId, patch: { slug } }: Change): void => {
    const place = rowKind === 'variable' || slug === undefined ? undefined : get(rowId)
    if (place !== undefined && slug !== undefined) known.set(rowId, withLater({ ...place, slug }, place.later ?? place.slug))
  }
  return { get, follow }
}

const withLater = ({ name, slug }: Place, later: string): Place => ({ name, slug, ...(later !== slug && { later }) })

const toFile = ({ name, slug, value, type, isSecret }: Fields): UnsentFields => ({
  ...(name === undefined ? {} : { name }),
  ...(slug === undefined ? {} : { slug }),
  ...(value === undefined ? {} : { value: value.sealed }),
  ...(type === undefined ? {} : { type }),
  ...(isSecret === undefined ? {} : { isSecret }),
})
