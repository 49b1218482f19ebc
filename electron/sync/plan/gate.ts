import { isOperation, isParked, type Change, type Entry } from '../../queue/entry.ts'
import { touchedClaims } from '../../queue/natural-key.ts'

/** Why an entry waits for another one. */
export type Because =
  /** It is in something that has not been created yet. */
  | 'parent'
  /** An earlier entry of the same row comes first. */
  | 'row'
  /** An earlier entry claims or frees its name, slug or e-mail address. */
  | 'name'
  /** Something it is in gets another slug, is deleted, saved or rolled back first. */
  | 'barrier'
  /** Everything queued below has to go first. */
  | 'below'

export interface Hold {
  because: Because
  by: Entry
}

/**
 * The lanes of an entry, in each of which it has its place: one lane for the variables and versions of an environment, one for members,
 * one for each project and environment itself. A move has its place in two.
 */
export function lanesOf(entry: Entry): string[] {
  if (entry.rowKind === 'member') return ['members']
  if (entry.rowKind === 'version') return [entry.ancestors[0]]
  if (entry.rowKind !== 'variable') return [`row:${entry.rowId}`]
  const lanes = [...entry.ancestors.slice(0, 1), ...entry.leaves.slice(0, 1)]
  return [...new Set(lanes)]
}

/** Every row that an entry is below, where it goes and where it leaves. */
const above = (entry: Entry): readonly string[] => (isOperation(entry) ? entry.ancestors : [...entry.ancestors, ...entry.leaves])

/** The row below which everything has to be done before this entry, and must wait for it; null: it is no barrier. */
function barrierAt(entry: Entry): string | null {
  if (entry.rowKind === 'version') return entry.ancestors[0]
  if (isOperation(entry) || entry.rowKind === 'variable') return null
  const isBarrier =
    entry.kind === 'delete' || (entry.kind === 'update' && entry.patch.slug !== undefined) || entry.conflict?.kind === 'name-taken'
  return isBarrier ? entry.rowId : null
}

/** Met another's project or environment under its name: whether the entries below belong there is the user's choice. */
const isUndecided = (change: Change): boolean =>
  change.kind === 'update' && change.rowKind !== 'variable' && change.conflict?.kind === 'name-taken' && change.base === null

/** Whether everything below its row waits for this entry, wherever in the queue it is. */
export const makesParent = (entry: Entry): boolean => !isOperation(entry) && (entry.kind === 'create' || isUndecided(entry))

/**
 * The order of `seq`, but a creation comes before everything below it. A parent that others deleted is queued to be created
 * again after the edits it is for; at its own time it would wait for a barrier that waits for them.
 */
export function inOrderOfSending(queue: readonly Entry[]): readonly Entry[] {
  const earliest = new Map<string, number>()
  for (const entry of queue) {
    for (const id of entry.ancestors) earliest.set(id, Math.min(earliest.get(id) ?? entry.seq, entry.seq))
  }
  const turnOf = (entry: Entry): number =>
    entry.kind === 'create' ? Math.min(entry.seq, earliest.get(entry.rowId) ?? entry.seq) : entry.seq
  if (queue.every((entry) => turnOf(entry) === entry.seq)) return queue
  // Ties: of two creations, the one with fewer ancestors is the parent.
  return queue.toSorted((a, b) => turnOf(a) - turnOf(b) || a.ancestors.length - b.ancestors.length || a.seq - b.seq)
}

/** What the entries seen so far hold back. Maps, so that a queue of 100,000 is one pass. */
export class Gate {
  /** Creations, wherever in the queue they are. */
  readonly #parents: ReadonlyMap<string, Entry>
  readonly #rows = new Map<string, Entry>()
  readonly #claims = new Map<string, Entry>()
  readonly #barriers = new Map<string, Entry>()
  /** Something queued below each row: one that is stuck, where there is one. */
  readonly #below = new Map<string, Entry>()
  /** Entries that wait for a parked one. Like parked ones, they may wait for ever, and must not hold their lane. */
  readonly #stuck = new Set<number>()

  constructor(queue: readonly Entry[]) {
    this.#parents = new Map(queue.filter(makesParent).map((entry) => [entry.rowId, entry]))
  }

  isStuck(entry: Entry): boolean {
    return isParked(entry) || this.#stuck.has(entry.seq)
  }

  /** What an entry waits for; null: for nothing but its lane. Something stuck is named first. */
  holds(entry: Entry): Hold | null {
    let first: Hold | null = null
    for (const hold of this.#holdsOf(entry)) {
      if (this.isStuck(hold.by)) return hold
      first ??= hold
    }
    return first
  }

  *#holdsOf(entry: Entry): Generator<Hold> {
    const hold = (because: Because, by: Entry | undefined): Hold[] => (by === undefined ? [] : [{ because, by }])
    for (const id of entry.ancestors) yield* hold('parent', this.#parents.get(id))
    yield* hold('row', this.#rows.get(entry.rowId))
    for (const claim of claimsOf(entry)) yield* hold('name', this.#claims.get(claim))
    for (const id of above(entry)) yield* hold('barrier', this.#barriers.get(id))
    const barrier = barrierAt(entry)
    if (barrier !== null) yield* hold('below', this.#below.get(barrier))
  }

  /** Takes an entry into account for all that come after it; says whether it is stuck. */
  add(entry: Entry): 'stuck' | 'moves on' {
    const hold = this.holds(entry)
    const isStuck = this.isStuck(entry) || (hold !== null && this.isStuck(hold.by))
    if (isStuck) this.#stuck.add(entry.seq)
    // The first one is kept, unless a stuck one follows: it is the one that has to be named.
    const note = (map: Map<string, Entry>, key: string): void => {
      if (isStuck || !map.has(key)) map.set(key, entry)
    }
    note(this.#rows, entry.rowId)
    for (const claim of claimsOf(entry)) note(this.#claims, claim)
    for (const id of above(entry)) note(this.#below, id)
    const barrier = barrierAt(entry)
    // A snapshot or rollback that waits for the user holds up nobody's edits.
    if (barrier !== null && !(isOperation(entry) && isParked(entry))) note(this.#barriers, barrier)
    return isStuck ? 'stuck' : 'moves on'
  }
}

function claimsOf(entry: Entry): string[] {
  if (entry.rowKind === 'version') return []
  if (isOperation(entry)) return [`member//${entry.detail.email.toLowerCase()}`]
  return touchedClaims(entry).map(({ parentId, key }) => `${entry.rowKind}/${parentId}/${key}`)
}
