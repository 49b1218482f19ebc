import { isOperation, isParked, type Change, type Entry } from '../../queue/entry.ts'
import { touchedClaims } from '../../queue/natural-key.ts'

/** Why an entry waits for another one. */
export type Because =
  /** One of its ancestors has not been created yet. */
  | 'parent'
  /** An earlier entry of the same row comes first. */
  | 'row'
  /** An earlier entry claims or frees its name, slug or e-mail address. */
  | 'name'
  /** One of its ancestors gets another slug, is deleted, saved as a version or rolled back first. */
  | 'barrier'
  /** All entries queued below it go first. */
  | 'below'

export interface Hold {
  because: Because
  by: Entry
}

/**
 * Returns the lanes of an entry; each lane is sent in order. The variables and versions of an environment share one lane, members share
 * one, and each project and environment has its own. A move is in two lanes.
 */
export function lanesOf(entry: Entry): string[] {
  if (entry.rowKind === 'member') return ['members']
  if (entry.rowKind === 'version') return [entry.ancestors[0]]
  if (entry.rowKind !== 'variable') return [`row:${entry.rowId}`]
  const lanes = [...entry.ancestors.slice(0, 1), ...entry.leaves.slice(0, 1)]
  return [...new Set(lanes)]
}

/** Returns all ancestors of an entry. For a move they include the parents it leaves. */
const allAncestors = (entry: Entry): readonly string[] => (isOperation(entry) ? entry.ancestors : [...entry.ancestors, ...entry.leaves])

/**
 * Returns the row of a barrier: earlier entries below that row are sent before it, later ones wait for it. Null: the entry is no barrier.
 */
function barrierAt(entry: Entry): string | null {
  if (entry.rowKind === 'version') return entry.ancestors[0]
  if (isOperation(entry) || entry.rowKind === 'variable') return null
  const isBarrier =
    entry.kind === 'delete' || (entry.kind === 'update' && entry.patch.slug !== undefined) || entry.conflict?.kind === 'name-taken'
  return isBarrier ? entry.rowId : null
}

/** Whether a project or environment met another record of its name: the user has yet to choose whether the entries below belong there. */
const isUndecided = (change: Change): boolean =>
  change.kind === 'update' && change.rowKind !== 'variable' && change.conflict?.kind === 'name-taken' && change.base === null

/** Whether all entries below this entry's row wait for it, even earlier ones. */
export const makesParent = (entry: Entry): boolean => !isOperation(entry) && (entry.kind === 'create' || isUndecided(entry))

/**
 * Returns the queue in the order of `seq`, but with each create before all entries below its row. When others delete a parent, its new
 * create is queued after the edits that need it; in plain order it would wait for a barrier that waits for those edits.
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

/** Finds the entry that holds back another one, among the entries added so far. It uses maps, so that 100,000 entries take one pass. */
export class Gate {
  /** Creations, wherever in the queue they are. */
  readonly #parents: ReadonlyMap<string, Entry>
  readonly #rows = new Map<string, Entry>()
  readonly #claims = new Map<string, Entry>()
  readonly #barriers = new Map<string, Entry>()
  /** An entry queued below each row: a stuck one, if there is one. */
  readonly #below = new Map<string, Entry>()
  /** The `seq` of entries that wait for a parked one. They may wait for ever, so they must not hold back their lane. */
  readonly #stuck = new Set<number>()

  constructor(queue: readonly Entry[]) {
    this.#parents = new Map(queue.filter(makesParent).map((entry) => [entry.rowId, entry]))
  }

  isStuck(entry: Entry): boolean {
    return isParked(entry) || this.#stuck.has(entry.seq)
  }

  /** Returns the entry to wait for, a stuck one first; null: the entry waits for nothing but its lane. */
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
    for (const id of allAncestors(entry)) yield* hold('barrier', this.#barriers.get(id))
    const barrier = barrierAt(entry)
    if (barrier !== null) yield* hold('below', this.#below.get(barrier))
  }

  /** Adds an entry, so that later ones can wait for it; returns whether it is stuck. */
  add(entry: Entry): 'stuck' | 'moves on' {
    const hold = this.holds(entry)
    const isStuck = this.isStuck(entry) || (hold !== null && this.isStuck(hold.by))
    if (isStuck) this.#stuck.add(entry.seq)
    // Keep the first entry, unless a stuck one follows: the user has to be told about that one.
    const note = (map: Map<string, Entry>, key: string): void => {
      if (isStuck || !map.has(key)) map.set(key, entry)
    }
    note(this.#rows, entry.rowId)
    for (const claim of claimsOf(entry)) note(this.#claims, claim)
    for (const id of allAncestors(entry)) note(this.#below, id)
    const barrier = barrierAt(entry)
    // A parked snapshot or rollback holds back no edits.
    if (barrier !== null && !(isOperation(entry) && isParked(entry))) note(this.#barriers, barrier)
    return isStuck ? 'stuck' : 'moves on'
  }
}

function claimsOf(entry: Entry): string[] {
  if (entry.rowKind === 'version') return []
  if (isOperation(entry)) return [`member//${entry.detail.email.toLowerCase()}`]
  return touchedClaims(entry).map(({ parentId, key }) => `${entry.rowKind}/${parentId}/${key}`)
}
