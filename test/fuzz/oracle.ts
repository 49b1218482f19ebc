import type { Change } from '../../electron/queue/entry.ts'
import type { FieldName, Fields } from '../../electron/queue/fields.ts'
import { isUnverified } from './as-kept.ts'
import type { TestClient } from '../support/build-client.ts'
import type { Stored, StoredVariable } from './fuzz-service.ts'
import { Violation } from './violation.ts'

/** Every value that was typed once and never again starts so; no file may ever hold it in plain. */
export const sentinel = 'plain~'

/** Names typed once and never again. */
export const uniqueName = /^(?:U|Place )\d+$/

/** Whether a text is a value that was typed once. */
export const isToken = (text: string): boolean => text.startsWith(sentinel)

/** One client as the oracle knows it. */
export interface Watched {
  name: string
  client: TestClient
  /** The moment its present sync began, by the oracle's own count of writes. */
  syncBegan: number
}

/** Whether a change makes a deleted variable again, in another environment than it had been in. */
const isMadeElsewhere = ({ kind, base, ancestors }: Change): boolean =>
  kind === 'create' && base?.parent !== undefined && base.parent !== ancestors[0]

/**
 * Knows what every user typed and saw, and what the service ever held, and from these two alone what
 * must not happen. A token is a value or a name that was typed exactly once in a run.
 */
export class Oracle {
  readonly #open: (sealed: string) => string | null
  readonly #opened = new Map<string, string>()
  /** Token -> the place in its user's queue that it had when it was typed. */
  readonly #seqOf = new Map<string, number>()
  /** Environment and value -> when it came there, and by whom. */
  readonly #cameTo = new Map<string, { moment: number; by: Watched }>()
  /** Token -> who typed it. */
  readonly #typed = new Map<string, Watched>()
  /** Tokens whose user took them back, or wrote over them, before they were sent. */
  readonly #released = new Set<string>()
  readonly #everOnService = new Set<string>()
  /** Value -> the values its writer saw in its place when it was typed, or when a conflict was decided for it. */
  readonly #seen = new Map<string, Set<string>>()
  /** What each user deleted knowingly: values, of these the ones that went with no project or environment, and the ids of those. */
  readonly #deleted = new Map<string, { values: Set<string>; alone: Set<string>; places: Set<string> }>()
  /** Value -> the records it was created in. */
  readonly #recordsOf = new Map<string, Set<string>>()
  /** Record -> who created it. */
  readonly #madeBy = new Map<string, Watched>()
  /** Record -> the environment it was created in. */
  readonly #madeIn = new Map<string, string>()
  /** Value -> how many rows beside the first a user gave it. */
  readonly #copies = new Map<string, number>()
  /** Values whose user chose to bring them back after somebody deleted them. */
  readonly #broughtBack = new Set<string>()
  /** Who rolled back which value to which. */
  readonly #rolledBack = new Set<string>()
  /** Records that the service ever held, and values of those that came back with their project or environment. */
  readonly #everHeld = new Set<string>()
  readonly #restored = new Set<string>()
  /** Rows about which a user was ever asked: what is made of these or below is their choice, also when the question went away. */
  readonly #parked = new Set<string>()
  /** Conflicts looked at when they arose: from then on the user may have typed anything. */
  readonly #asked = new Set<string>()
  /** Writes the service has seen. */
  moment = 0
  /** Environment -> when its slug was changed last. */
  readonly #renamedAt = new Map<string, number>()
  readonly #arrived = new Map<string, number>()
  #violated: unknown = null
  #stored: Stored = { projects: [], environments: [], variables: [], versions: [], members: [] }
  /** Whether a write of a client can be refused because somebody wrote in between; without, the race is narrow and stays open. */
  readonly isGuarded: (by: Watched) => boolean
  /** Whether nothing tells a client of a variable whose name its user does not track. */
  readonly isBlind: (by: Watched) => boolean

  constructor(open: (sealed: string) => string | null, isGuarded: (by: Watched) => boolean, isBlind: (by: Watched) => boolean) {
    this.#open = open
    this.isGuarded = isGuarded
    this.isBlind = isBlind
  }

  plain(sealed: string | undefined): string {
    if (sealed === undefined) return ''
    const known = this.#opened.get(sealed)
    if (known !== undefined) return known
    const text = this.#open(sealed) ?? '(unreadable)'
    this.#opened.set(sealed, text)
    return text
  }

  /** What a client still has to send. */
  queued(by: Watched): Map<string, Change> {
    const tokens = new Map<string, Change>()
    for (const change of by.client.queue()) {
      for (const token of this.tokensOf(change)) tokens.set(token, change)
    }
    return tokens
  }

  /** Values and names that were typed once, of all that its user sees. */
  shownTo(by: Watched): Set<string> {
    const rows = by.client.children('project', null).flatMap((project) => [project, ...by.client.below(project.id)])
    const texts = rows.flatMap(({ fields }) => [fields.name ?? '', this.plain(fields.value?.sealed)])
    return new Set(texts.filter((text) => isToken(text) || uniqueName.test(text)))
  }

  /** The values and names that were typed once, of all that a change is to send. */
  tokensOf({ patch }: Change): string[] {
    const value = this.plain(patch.value?.sealed)
    return [...(value.startsWith(sentinel) ? [value] : []), ...(uniqueName.test(patch.name ?? '') ? [patch.name ?? ''] : [])]
  }

  /**
   * Runs one deed of a user. `rows`: local ids it is about; what leaves the queue must belong to these or be
   * below them, and is then the user's choice.
   */
  async user<T>(by: Watched, rows: readonly string[], deed: () => Promise<T>): Promise<T> {
    const before = this.queued(by)
    const deleted = rowsToDelete(by)
    const result = await deed()
    const after = this.queued(by)
    const going = rowsToDelete(by)
    const isGoing = ({ rowId, ancestors }: Change) => [rowId, ...ancestors].some((id) => going.has(id))
    for (const [token, change] of before) {
      const left = after.get(token)
      // The last row that showed it is gone, and one that still holds it is to be deleted.
      if (left !== undefined && left.id !== change.id && isGoing(left) && !this.shownTo(by).has(token)) this.#released.add(token)
      if (left !== undefined) continue
      // What its user has deleted with the place it was moved to may go with the place it came from.
      const theirs = [change.rowId, ...change.ancestors].some((id) => rows.includes(id) || deleted.has(id))
      if (!theirs) throw new Violation(`${by.name}: an edit of ${rows.join()} dropped ${token} of another row: ${JSON.stringify(change)}`)
      this.#released.add(token)
    }
    return result
  }

  /** `over`: what the user knew to be in its place, and gave up when it was their own. */
  typed(by: Watched, token: string, over: readonly string[] = []): void {
    this.#typed.set(token, by)
    for (const old of over) this.gaveUp(by, old)
    if (token.startsWith(sentinel)) this.saw(token, over)
    const change = this.queued(by).get(token)
    if (change === undefined) throw new Violation(`${by.name}: ${token} was acknowledged and is not in the queue`)
    this.#seqOf.set(token, change.seq)
  }

  /** A value typed into what its user has deleted meanwhile: it may go before the delete, and is nobody's loss. */
  typedInVain(by: Watched, token: string): void {
    this.#typed.set(token, by)
    this.#released.add(token)
  }

  /** A repaired database counts its queue anew. What the service has held was typed before all of it, also when a row is to be created again with it. */
  renumber(by: Watched): void {
    const queued = this.queued(by)
    for (const [token, who] of this.#typed) {
      if (who === by) this.#seqOf.set(token, this.#everOnService.has(token) ? 0 : (queued.get(token)?.seq ?? 0))
    }
  }

  /** Whether a value was typed by this user, in one place alone, and queued after what has that place in the queue. */
  wasQueuedAfter(by: Watched, value: string, seq: number): boolean {
    return this.#typed.get(value) === by && !this.#copies.has(value) && (this.#seqOf.get(value) ?? 0) > seq
  }

  /** The service's id of the environment whose variables a path lists, or null. */
  environmentAt(path: string): string | null {
    const [, project, slug] = /^\/projects\/([^/]+)\/environments\/([^/]+)\/variables$/.exec(path) ?? []
    const parent = this.#stored.projects.find((one) => one.slug === project)
    return this.#stored.environments.find((one) => one.parent_id === parent?.id && one.slug === slug)?.id ?? null
  }

  /** Whether a value came to an environment after the service had seen so many writes. */
  cameAfter(environmentId: string, value: string, moment: number): boolean {
    return (this.#cameTo.get(`${environmentId} ${value}`)?.moment ?? 0) > moment
  }

  /** Whether a value came to an environment by a write of this client: others may have moved there what its user typed elsewhere. */
  cameBy(by: Watched, environmentId: string, value: string): boolean {
    return this.#cameTo.get(`${environmentId} ${value}`)?.by === by
  }

  /** Whether a value came back with its project or environment, as that was deleted. */
  isRestored(value: string): boolean {
    return this.#restored.has(value)
  }

  /** Whether this user typed it. */
  isTypedBy(by: Watched, token: string): boolean {
    return this.#typed.get(token) === by
  }

  gaveUp(by: Watched, token: string): void {
    if (this.#typed.get(token) === by) this.#released.add(token)
  }

  /** The user deletes rows: whatever they had typed in these or below is moot. */
  gaveUpAll(by: Watched, row: string): void {
    for (const [token, change] of this.queued(by)) {
      if (change.rowId === row || change.ancestors.includes(row)) this.gaveUp(by, token)
    }
  }

  saw(value: string, others: readonly string[]): void {
    const seen = this.#seen.get(value) ?? new Set()
    for (const other of others) seen.add(other)
    this.#seen.set(value, seen)
  }

  deletes(by: Watched, values: readonly string[], place: string | null): void {
    const deleted = this.#deletedBy(by)
    for (const value of values) {
      deleted.values.add(value)
      if (place === null) deleted.alone.add(value)
      this.gaveUp(by, value)
    }
    if (place === null) return
    deleted.places.add(place)
    // A damaged file may have forgotten the row, and have the record under another.
    const remoteId = by.client.remoteIdOf(place)
    if (remoteId !== null) deleted.places.add(remoteId)
  }

  /** A user gave a value to one more row. */
  copied(value: string): void {
    if (this.#typed.has(value)) this.#copies.set(value, (this.#copies.get(value) ?? 0) + 1)
  }

  /** Whether its user gave it up before their client knew that the service has it. */
  hasGivenUp(by: Watched, token: string): boolean {
    return this.#typed.get(token) === by && this.#released.has(token)
  }

  /** What its user had given up, and sees again, counts again. */
  stands(by: Watched, token: string): void {
    if (this.#typed.get(token) === by) this.#released.delete(token)
  }

  /** The user takes back a deletion: what waits in these rows or below counts again. */
  standsAll(by: Watched, row: string): void {
    const deleted = rowsToDelete(by)
    const queued = [...this.queued(by)]
    for (const [token, change] of queued) {
      const path = [change.rowId, ...change.ancestors]
      if (!path.includes(row)) continue
      // What is deleted by itself as well, or with a place below this one, stays so.
      if (path.slice(0, path.indexOf(row)).some((id) => deleted.has(id))) continue
      // What its user had written over before the deletion stays so too.
      const field = uniqueName.test(token) ? 'name' : 'value'
      if (queued.some(([, later]) => later.rowId === change.rowId && later.seq > change.seq && later.patch[field] !== undefined)) continue
      this.stands(by, token)
    }
  }

  bringsBack(values: readonly string[]): void {
    for (const value of values) this.#broughtBack.add(value)
  }

  #deletedBy(by: Watched) {
    const known = this.#deleted.get(by.name) ?? { values: new Set<string>(), alone: new Set<string>(), places: new Set<string>() }
    this.#deleted.set(by.name, known)
    return known
  }

  /** Everything that whoever typed `value` had seen before, directly or through what they saw. */
  #past(value: string, past: Set<string> = new Set([value])): Set<string> {
    for (const earlier of this.#seen.get(value) ?? []) {
      if (past.has(earlier)) continue
      past.add(earlier)
      this.#past(earlier, past)
    }
    return past
  }

  /**
   * The service has handled a write of `by`: what it holds now, against what it held before. What must not be is kept for the next
   * `check`: thrown here, inside a request, it would be one more failure of the network.
   */
  observe(by: Watched, now: Stored, method: string, path: string, and: (was: Stored) => void = () => undefined): void {
    const was = this.#stored
    try {
      this.#compare(by, now, method, path)
      and(was)
    } catch (error) {
      this.#violated ??= error
    }
  }

  #compare(by: Watched, now: Stored, method: string, path: string): void {
    const before = this.#stored
    this.#stored = now
    this.moment += 1
    for (const { name } of [...now.projects, ...now.environments, ...now.variables]) this.#everOnService.add(name)
    const was = new Map(before.variables.map((row) => [row.id, row]))
    const isRollback = path.endsWith('/rollback')
    const values = new Map<string, string>()
    for (const row of now.variables) {
      const value = this.plain(row.value)
      this.#everOnService.add(value)
      if (!this.#arrived.has(value)) this.#arrived.set(value, this.moment)
      const old = was.get(row.id)
      const isNew = old === undefined || this.plain(old.value) !== value
      const isBack = old === undefined && this.#everHeld.has(row.id)
      if (isBack && !isRollback) this.#restored.add(value)
      this.#everHeld.add(row.id)
      if (isNew || old.environment_id !== row.environment_id)
        this.#cameTo.set(`${row.environment_id} ${value}`, { moment: this.moment, by })
      if (isNew) {
        // What a rollback brings back may be elsewhere by now, too.
        if (isRollback && value.startsWith(sentinel)) this.#broughtBackBy(value)
        if (isRollback && old !== undefined) this.#rolledBack.add(`${by.name} ${this.plain(old.value)} ${value}`)
      }
      if (!value.startsWith(sentinel)) continue
      const twin = values.get(value)
      // Of a variable that was renamed while its environment was deleted, whoever finds another value under the old name has both.
      const isKnown = this.#copies.has(value) || this.#broughtBack.has(value) || this.#restored.has(value)
      if (twin !== undefined && !isKnown) throw new Violation(`${value} is on the service twice: ${twin} and ${row.id}`)
      values.set(value, row.id)
      if (isRollback) continue
      if (old === undefined && !isBack) this.#created(by, value, row)
      else if (old !== undefined) this.#overwrote(by, this.plain(old.value), value, row.id)
    }
    const slugs = new Map(before.environments.map(({ id, slug }) => [id, slug]))
    for (const { id, slug } of now.environments) if (slugs.has(id) && slugs.get(id) !== slug) this.#renamedAt.set(id, this.moment)
    const left = new Set(now.variables.map((row) => row.id))
    const placesLeft = new Set([...now.projects, ...now.environments].map((row) => row.id))
    for (const { id, parent_id: parent } of [...before.projects, ...before.environments]) {
      if (!placesLeft.has(id) && (parent === null || placesLeft.has(parent))) this.#parentDeleted(by, id)
    }
    if (isRollback) for (const row of before.variables) if (!left.has(row.id)) this.#rolledAway(row)
    for (const row of isRollback ? [] : before.variables) {
      const value = this.plain(row.value)
      // With a place goes what its user typed into it afterwards, and what nothing could tell them of.
      const isUnknown = this.isBlind(by) && by.client.localIdOf(row.id) === null
      // Nor can one who asks for each variable by its path, while somebody renames what is in that path.
      const isElsewhere = this.isBlind(by) && (this.#renamedAt.get(row.environment_id) ?? -1) >= by.syncBegan
      const isTheirs = !placesLeft.has(row.environment_id) && (isUnknown || isElsewhere || this.#typed.get(value) === by)
      if (!left.has(row.id) && !isTheirs) this.#variableGone(by, row, value, method, path)
    }
  }

  /** Whoever made a variable and does not know it yet, because the answer was lost, makes it again when a rollback has removed it. */
  #rolledAway(row: StoredVariable): void {
    const value = this.plain(row.value)
    const maker = this.#madeBy.get(row.id)
    if (maker !== undefined && this.queued(maker).has(value)) this.#recordsOf.get(value)?.delete(row.id)
  }

  #broughtBackBy(value: string): void {
    this.bringsBack([value])
    this.copied(value)
  }

  #created(by: Watched, value: string, row: StoredVariable): void {
    const made = this.#recordsOf.get(value) ?? new Set<string>()
    this.#recordsOf.set(value, made.add(row.id))
    this.#madeBy.set(row.id, by)
    this.#madeIn.set(row.id, row.environment_id)
    // Made in an environment that had just taken the slug of the one meant, and somebody else's by the time its maker looked.
    const strays = [...made].filter(
      (id) => this.#madeBy.get(id) === by && this.#madeIn.get(id) !== row.environment_id && !this.#holds(id, value),
    )
    const tooMany = made.size - strays.length > 1 + (this.#copies.get(value) ?? 0)
    // A variable that was moved out of an environment before others deleted that is made again in the new one, unasked.
    const wasMovedOut = by.client.queue().some((one) => isMadeElsewhere(one) && this.tokensOf(one).includes(value))
    const change = this.queued(by).get(value)
    const wasAsked = change !== undefined && [change.rowId, ...change.ancestors].some((id) => this.#parked.has(`${by.name} ${id}`))
    if (tooMany && !wasAsked && !wasMovedOut && !this.#broughtBack.has(value))
      throw new Violation(`${value} was created too often: ${[...made].join(', then ')}`)
  }

  #holds(id: string, value: string): boolean {
    const row = this.#stored.variables.find((one) => one.id === id)
    return row !== undefined && this.plain(row.value) === value
  }

  /**
   * Where the service guards nothing, a write may hit what came after the look before it. What was there when the sync
   * began is no such case.
   */
  #mayRace(by: Watched, old: string, isGuarded = this.isGuarded(by)): boolean {
    return !isGuarded && (this.#arrived.get(old) ?? 0) >= by.syncBegan
  }

  #overwrote(by: Watched, old: string, value: string, id: string): void {
    if (old === value || !old.startsWith(sentinel) || this.#mayRace(by, old)) return
    if (this.#isReplayed(by, id, old) && this.#broughtBack.has(value)) return
    // Who has deleted a value, and taken that back, knows it, also on a screen from before.
    if (this.#deletedBy(by).alone.has(old)) return
    // Who rolled it back to that has seen both, also where a place that is made again goes through its versions.
    if (this.#rolledBack.has(`${by.name} ${old} ${value}`)) return
    if (!this.#past(value).has(old)) throw new Violation(`${by.name} wrote ${value} over ${old}, which its user had not seen`)
  }

  /** Whether who made a variable brought its value back themselves: a place that is made again with its versions goes through what these held. */
  #isReplayed(by: Watched, id: string, value: string): boolean {
    return this.#madeBy.get(id) === by && this.#broughtBack.has(value)
  }

  #variableGone(by: Watched, { id, environment_id: environmentId }: StoredVariable, old: string, method: string, path: string): void {
    if (!old.startsWith(sentinel) || this.#isReplayed(by, id, old)) return
    // What goes through the versions of a place may meet there what a colleague has brought back as well, and is to be there again in the end.
    if (this.#broughtBack.has(old) && this.queued(by).has(old)) return
    // Nor does it delete more than its own, where it has just written that over what its user was asked about.
    if (this.#broughtBack.has(old) && this.#cameTo.get(`${environmentId} ${old}`)?.by === by) return
    // What was made in the wrong place is taken back by who made it, and waits to be made again.
    if ((this.#typed.get(old) === by || this.#madeBy.get(id) === by) && this.queued(by).has(old)) {
      this.#recordsOf.get(old)?.delete(id)
      return
    }
    // Operation 9 names what it deletes, and a basic service deletes a place by its path: no ETag says what was in these.
    const isByPath = method === 'DELETE' && !/\/variables\/./.test(path)
    if (this.#mayRace(by, old, this.isGuarded(by) && !isByPath)) return
    const knew = [...this.#deletedBy(by).values].some((value) => this.#past(value).has(old))
    if (!knew) throw new Violation(`${by.name} deleted ${old}, which its user had not seen (${method} ${path})`)
  }

  /** Whether a value is among `now`, or its user wrote over it there, or deleted it by itself. */
  isCoveredBy(by: Watched, now: readonly string[], value: string): boolean {
    return [...now, ...this.#deletedBy(by).alone].some((each) => this.#past(each).has(value))
  }

  #parentDeleted(by: Watched, remoteId: string): void {
    const row = by.client.localIdOf(remoteId)
    const { places } = this.#deletedBy(by)
    if (row === null || places.has(row) || places.has(remoteId)) return
    throw new Violation(`${by.name} deleted the place ${row}, which its user never did`)
  }

  /** A user is asked about a row. */
  asks({ name }: Watched, rowId: string): void {
    this.#parked.add(`${name} ${rowId}`)
  }

  /** Whether a user was ever asked about a row. */
  wasAsked({ name }: Watched, rowId: string): boolean {
    return this.#parked.has(`${name} ${rowId}`)
  }

  /** Rows are moved out of a place: where a user was asked about that, what they take out of it is their choice too. */
  takesOut(by: Watched, rowIds: readonly string[], placeId: string): void {
    if (this.#parked.has(`${by.name} ${placeId}`)) for (const rowId of rowIds) this.asks(by, rowId)
    // A question may come and go within one step of a history.
    for (const { rowId, conflict } of by.client.queue()) if (conflict !== null && rowIds.includes(rowId)) this.asks(by, rowId)
  }

  /** A conflict is asked about only where somebody wrote something else than was there, and something else than mine. */
  checkConflicts(all: readonly Watched[]): void {
    for (const one of all) {
      const { name, client } = one
      for (const change of client.queue()) {
        if (change.conflict !== null) this.asks(one, change.rowId)
        const theirs = change.conflict?.remote
        if (change.conflict?.kind !== 'fields' || theirs == null || this.#asked.has(change.id)) continue
        this.#asked.add(change.id)
        const fields = (['parent', 'name', 'slug', 'value', 'type', 'isSecret'] as const).filter(
          (field) => change.patch[field] !== undefined,
        )
        const isTrue = fields.some(
          (field) => this.#differs(change.base?.[field], theirs[field]) && this.#differs(change.patch[field], theirs[field]),
        )
        if (!isTrue) throw new Violation(`${name}: a conflict about ${fields.join()} in which both sides say the same`)
      }
    }
  }

  #differs(a: Fields[FieldName], b: Fields[FieldName]): boolean {
    // What is not proven to be a member's equals nothing, whatever it says.
    if ([a, b].some((field) => typeof field === 'object' && isUnverified(field.sealed))) return true
    const plain = (field: Fields[FieldName]) => (typeof field === 'object' ? this.plain(field.sealed) : field)
    return plain(a) !== plain(b)
  }

  /** No acknowledged edit is gone: it reached the service, waits in the queue, or its user let it go. */
  check(all: readonly Watched[]): void {
    if (this.#violated !== null) throw this.#violated
    const queues = new Map(all.map((one) => [one.name, this.queued(one)]))
    for (const [token, by] of this.#typed) {
      if (this.#released.has(token) || this.#everOnService.has(token) || queues.get(by.name)?.has(token)) continue
      throw new Violation(`${by.name}: ${token} has vanished`)
    }
    for (const { name, client } of all) {
      const drift = client.drift()
      if (drift.length > 0) throw new Violation(`${name}: working is not base and queue for ${drift.join()}`)
    }
  }
}

/** The rows whose deletion is still to be sent. */
const rowsToDelete = ({ client }: Watched): Set<string> =>
  new Set(client.queue().flatMap(({ kind, rowId }) => (kind === 'delete' ? [rowId] : [])))
