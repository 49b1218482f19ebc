import { generateWorkspaceKey } from '../../electron/cipher/workspace-key.ts'
import { decryptValue } from '../../electron/cipher/value-cipher.ts'
import type { ConflictRow, VariableRow } from '../../electron/bridge/rows.ts'
import { TestClient, type NetworkRequest } from '../support/build-client.ts'
import { deskOf, workspaceId, type Desk } from '../support/desk.ts'
import { everyStrictRow, strictOptions } from '../support/strict-rows.ts'
import { startStrictService, type StrictService } from '../support/strict-service.ts'
import { valueOf } from '../support/value-of.ts'
import { createDice, type Dice } from './dice.ts'
import { drawFault, withFault, type Fault } from './faults.ts'
import { Violation } from './violation.ts'

const project = 'Shop_1'
const names = ['A', 'B', 'C', 'D', 'E', 'F']
const deeds = {
  edit: 30,
  'finish editing': 14,
  delete: 6,
  create: 3,
  rename: 4,
  'others write': 22,
  'others delete': 4,
  sync: 30,
  answer: 14,
  undo: 3,
  restart: 4,
  'rename environment': 2,
  'roll back': 3,
  restore: 4,
  copy: 4,
  import: 4,
}

/** A variable as the service has it, its text in plain. */
interface Stored {
  text: string
  name: string
}

/** What a person typed or deleted, until it is on the service or they have decided otherwise. */
interface Wish {
  /** Local id of the variable. */
  rowId: string
  /** Null: it is to be deleted. */
  text: string | null
  /** The slug of its environment and its own name, as its user saw them. */
  slug: string
  name: string
}

/** A variable that its user looks at, and its text; null: it cannot be shown. */
interface Opened {
  row: VariableRow
  text: string | null
}

interface Person {
  name: string
  client: TestClient
  desk: Desk
  /** Every text that this person was shown when they decided about a variable, or typed. */
  shown: Set<string>
  wishes: Set<Wish>
  /** The row of the open editor, as it was when the editor was opened. Null: none is open. */
  editor: Opened | null
  /** Every text that this person saw a variable have, by its local id. */
  sawIn: Map<string, Set<string>>
}

/**
 * Two people with Holdfast, and others with programs of their own, on the service that is written from the specification alone. Faults fall
 * on every request. It knows what people saw and typed, and what the service has; of Holdfast it uses the commands and nothing else. Three
 * promises: nobody's value is replaced by a person who was not shown it, what a person typed is what they are shown next, and it arrives
 * unless they decide otherwise.
 */
export class StrictWorld {
  readonly trace: string[] = []
  /** How the service answers where the specification leaves it open. */
  readonly says: string
  readonly #dice: Dice
  readonly #key: Uint8Array
  readonly #service: StrictService
  readonly #people: Person[] = []
  /** Who changed or deleted a record of the service, by its id. */
  readonly #touchedBy = new Map<string, Set<string>>()
  /** What others changed or deleted, in order, by its id. */
  readonly #byOthers: string[] = []
  readonly #formerSlugs = new Set<string>()
  #texts = 0
  /** Milliseconds since the epoch. */
  #clock = Date.UTC(2026, 0, 1)
  #broken: Violation | null = null
  /** Whether no request fails: at the beginning and at the end. */
  #isHealed = true

  static async open(seed: number, parent: string): Promise<StrictWorld> {
    const dice = createDice(seed)
    const row = dice.pick(everyStrictRow)
    if (row === undefined) throw new Error('no rows')
    const key = generateWorkspaceKey()
    const says = `strict, unknown routes: ${row.unknownRoute}, errors: ${row.errorBody}, values: ${row.stored}`
    const world = new StrictWorld(says, dice, key, await startStrictService(strictOptions(row, key)))
    await world.#begin(parent)
    return world
  }

  private constructor(says: string, dice: Dice, key: Uint8Array, service: StrictService) {
    this.says = says
    this.#dice = dice
    this.#key = key
    this.#service = service
  }

  async #begin(parent: string): Promise<void> {
    this.#service.addProject(project)
    for (const slug of ['Stage_1', 'Stage_2']) {
      this.#service.addEnvironment(project, slug)
      for (const name of names.slice(0, 4)) this.#service.setVariable(project, slug, name, this.#newText('others'))
    }
    for (const name of ['Ada', 'Ben']) {
      const { url, apiKey, workspaceId: id } = this.#service
      const client = new TestClient({
        service: { url, apiKey, workspaceId: id },
        key: this.#key,
        parent,
        random: this.#dice.next,
        now: () => this.#clock,
      })
      const person: Person = {
        name,
        client,
        desk: deskOf(client, { newId: client.newId }),
        shown: new Set(),
        wishes: new Set(),
        editor: null,
        sawIn: new Map(),
      }
      client.network = (forward, request) => this.#carry(person, request, forward)
      this.#people.push(person)
      await this.#trackAll(person)
      await this.#sync(person)
    }
    this.#isHealed = false
  }

  async close(): Promise<void> {
    for (const { client } of this.#people) await client.close()
    await this.#service.close()
  }

  async run(): Promise<void> {
    const steps = this.#dice.from(20, 60)
    for (let step = 0; step < steps; step += 1) await this.#step()
    await this.#end()
  }

  async #step(): Promise<void> {
    const person = this.#dice.pick(this.#people)
    if (person === undefined) throw new Error('nobody')
    const deed = this.#dice.weighted(deeds)
    switch (deed) {
      case 'others write':
      case 'others delete':
        return this.#othersAct(deed)
      case 'sync':
        return this.#sync(person)
      case 'answer':
        return this.#answerOne(person)
      case 'restart':
        this.#say(person, 'restarts')
        person.client.restart()
        person.desk = deskOf(person.client, { newId: person.client.newId })
        person.editor = null
        return
      case 'undo':
        return this.#undo(person)
      case 'create':
        return this.#create(person)
      case 'rename environment':
        return this.#renameEnvironment(person)
      case 'roll back':
        return this.#rollBack(person)
      case 'copy':
        return this.#copy(person)
      case 'import':
        return this.#import(person)
      case 'finish editing':
        if (person.editor !== null) await this.#save(person, person.editor)
        return
      case 'edit':
      case 'delete':
      case 'restore':
      case 'rename': {
        const row = this.#dice.pick(await this.#rows(person))
        if (row === undefined) return
        const text = await this.#sees(person, row)
        if (deed === 'delete') await this.#delete(person, row)
        else if (deed === 'rename') await this.#rename(person, row)
        else if (deed === 'restore') await this.#restore(person, row)
        else if (this.#dice.chance(0.5)) {
          this.#say(person, `opens ${row.name}`)
          person.editor = { row, text }
        } else await this.#save(person, { row, text })
      }
    }
  }

  async #save(person: Person, { row, text: was }: Opened): Promise<void> {
    const former = [...(person.sawIn.get(row.id) ?? [])].filter((text) => text !== was)
    const back = this.#dice.chance(0.2) ? this.#dice.pick(former) : undefined
    const text = back ?? this.#newText(person.name)
    person.editor = null
    const result = await person.desk.handlers['variables.update']({ workspaceId, id: row.id, seen: row.rev, value: text })
    this.#say(person, `types ${text} into ${row.name}: ${result.ok ? 'saved' : result.error.kind}`)
    if (!result.ok) return
    await this.#checkShown(person, row.id, text, `typed ${text} into ${row.name} over ${was}`)
    // What had been there before may be there already, and again: that it arrives cannot be told by it.
    if (back === undefined) this.#wish(person, { rowId: row.id, text, slug: await this.#slugOf(person, row), name: row.name })
    else this.#giveUp(person, row.id)
  }

  async #delete(person: Person, row: VariableRow): Promise<void> {
    const result = await person.desk.handlers['variables.delete']({ workspaceId, rows: [{ id: row.id, seen: row.rev }] })
    this.#say(person, `deletes ${row.name}: ${result.ok ? 'done' : result.error.kind}`)
    if (result.ok) this.#wish(person, { rowId: row.id, text: null, slug: await this.#slugOf(person, row), name: row.name })
  }

  async #rename(person: Person, row: VariableRow): Promise<void> {
    const name = this.#dice.pick(names) ?? row.name
    const result = await person.desk.handlers['variables.update']({ workspaceId, id: row.id, seen: row.rev, name })
    this.#say(person, `renames ${row.name} to ${name}: ${result.ok ? 'done' : result.error.kind}`)
    if (!result.ok || name === row.name) return
    const now = (await this.#rows(person)).find(({ id }) => id === row.id)?.name
    if (now !== name) throw new Violation(`${person.name} renamed ${row.name} to ${name}, and is shown ${now}`)
  }

  async #create(person: Person): Promise<void> {
    const environment = this.#dice.pick(await this.#environments(person))
    const name = this.#dice.pick(names)
    if (environment === undefined || name === undefined) return
    const value = this.#newText(person.name)
    const made = { workspaceId, environmentId: environment.id, name, value, type: 'string' as const, isSecret: true }
    const result = await person.desk.handlers['variables.create'](made)
    this.#say(person, `creates ${name} with ${value} in ${environment.slug}: ${result.ok ? 'done' : result.error.kind}`)
    if (result.ok) this.#wish(person, { rowId: result.value.id, text: value, slug: environment.slug, name })
  }

  /** Restores one of the values that a variable had before. */
  async #restore(person: Person, row: VariableRow): Promise<void> {
    const { handlers } = person.desk
    const list = await valueOf(handlers['history.list']({ workspaceId, environmentId: null, variableId: row.id }))
    const entries = list.map(({ entry }) => entry)
    const kept = this.#dice.pick(await valueOf(handlers['history.values']({ workspaceId, entries, reveal: true })))
    if (kept === undefined || kept.value === null) return
    person.shown.add(kept.value)
    const seen = list.find(({ entry }) => entry === kept.entry)?.rev ?? row.rev
    const result = await handlers['history.restore']({ workspaceId, entry: kept.entry, variableId: row.id, seen })
    this.#say(person, `restores ${kept.value} of ${row.name}: ${result.ok ? 'done' : result.error.kind}`)
    if (!result.ok) return
    this.#giveUp(person, result.value.id)
    await this.#checkShown(person, result.value.id, kept.value, `restored ${kept.value} of ${row.name}`)
  }

  /** Copies a variable over the one of its name in another environment. */
  async #copy(person: Person): Promise<void> {
    const rows = await this.#rows(person)
    const row = this.#dice.pick(rows)
    const to = this.#dice.pick((await this.#environments(person)).filter(({ id }) => id !== row?.environmentId))
    if (row === undefined || to === undefined) return
    const text = await this.#sees(person, row)
    const was = await this.#seesAllIn(person, to.id)
    await this.#whileOthersGoOn(person)
    const result = await person.desk.handlers['variables.copy-to']({
      workspaceId,
      rows: [{ id: row.id, seen: row.rev }],
      environmentId: to.id,
      seen: to.rev,
      onTaken: 'overwrite',
      move: false,
    })
    this.#say(person, `copies ${row.name} (${text}) to ${to.slug}: ${result.ok ? 'done' : result.error.kind}`)
    if (!result.ok || text === null || result.value.copied + result.value.overwritten === 0) return
    const made = (await this.#rows(person)).find(({ environmentId, name }) => environmentId === to.id && name === row.name)
    if (made === undefined) throw new Violation(`${person.name} copied ${row.name} to ${to.slug}, and it is not there`)
    this.#giveUp(person, made.id)
    // A copy of what is there already changes nothing, and what others write meanwhile stays.
    if (was.get(row.name)?.text !== text) await this.#checkShown(person, made.id, text, `copied ${row.name} with ${text} to ${to.slug}`)
  }

  /** Imports a text of a few lines, some with values that their variables had before. */
  async #import(person: Person): Promise<void> {
    const { handlers } = person.desk
    const environment = this.#dice.pick(await this.#environments(person))
    if (environment === undefined) return
    const was = await this.#seesAllIn(person, environment.id)
    const lines = names
      .filter(() => this.#dice.chance(0.3))
      .map((name) => {
        const id = was.get(name)?.row.id
        const former = this.#dice.chance(0.4) ? this.#dice.pick([...(person.sawIn.get(id ?? '') ?? [])]) : undefined
        return { name, text: former ?? this.#newText(person.name), isNew: former === undefined }
      })
    const text = lines.map((line) => `${line.name}=${line.text}\n`).join('')
    const file = { workspaceId, environmentId: environment.id, text, format: 'env', mode: 'merge' } as const
    const preview = await handlers['import.preview'](file)
    if (!preview.ok) return this.#say(person, `cannot import ${text}: ${preview.error.kind}`)
    await this.#whileOthersGoOn(person)
    const result = await handlers['import.apply']({ ...file, seen: preview.value.rev })
    this.#say(person, `imports ${JSON.stringify(text)} into ${environment.slug}: ${result.ok ? 'done' : result.error.kind}`)
    if (!result.ok) return
    const after = (await this.#rows(person)).filter(({ environmentId }) => environmentId === environment.id)
    for (const line of lines.filter(({ name, text: typed }) => was.get(name)?.text !== typed)) {
      const made = after.find(({ name }) => name === line.name)
      if (made === undefined) throw new Violation(`${person.name} imported ${line.name}, and it is not there`)
      if (line.isNew) this.#wish(person, { rowId: made.id, text: line.text, slug: environment.slug, name: line.name })
      else this.#giveUp(person, made.id)
      await this.#checkShown(person, made.id, line.text, `imported ${line.text} for ${line.name} over ${was.get(line.name)?.text}`)
    }
  }

  /** Something is left open on the screen of a person while others go on. */
  async #whileOthersGoOn(person: Person): Promise<void> {
    if (!this.#dice.chance(0.3)) return
    this.#othersAct('others write')
    await this.#sync(person)
  }

  async #checkShown(person: Person, id: string, text: string, did: string): Promise<void> {
    const shown = await this.#sees(person, { id })
    if (shown !== text) throw new Violation(`${person.name} ${did}, and is shown ${shown}`)
  }

  async #renameEnvironment(person: Person): Promise<void> {
    const environment = this.#dice.pick(await this.#environments(person))
    if (environment === undefined) return
    const slug = `Stage_${this.#dice.from(1, 6)}`
    const result = await person.desk.handlers['environments.update']({ workspaceId, id: environment.id, seen: environment.rev, slug })
    this.#say(person, `gives ${environment.slug} the slug ${slug}: ${result.ok ? 'done' : result.error.kind}`)
  }

  async #rollBack(person: Person): Promise<void> {
    const environment = this.#dice.pick(await this.#environments(person))
    const there = this.#service.state.environments.find(({ slug }) => slug === environment?.slug)
    if (environment === undefined || there === undefined) return
    const kept = this.#service.state.versions.filter(({ environmentId }) => environmentId === there.id)
    const version = this.#dice.chance(0.3) ? undefined : this.#dice.pick(kept)
    if (version === undefined) {
      this.trace.push(`others save a version of ${there.slug}`)
      this.#service.takeVersion(project, there.slug, `v${kept.length + 1}`)
      return
    }
    const mirrored = await person.desk.handlers['versions.mirror']({ workspaceId, environmentId: environment.id, remoteId: version.id })
    if (!mirrored.ok) return this.#say(person, `does not find ${version.label}: ${mirrored.error.kind}`)
    const versionId = mirrored.value.id
    const preview = await person.desk.handlers['versions.preview-rollback']({ workspaceId, versionId })
    if (!preview.ok) return this.#say(person, `sees no preview of ${version.label}: ${preview.error.kind}`)
    await this.#seesAllIn(person, environment.id)
    const result = await person.desk.handlers['versions.rollback']({ workspaceId, versionId, fingerprint: preview.value.fingerprint })
    this.#say(person, `rolls ${there.slug} back to ${version.label}: ${result.ok ? 'queued' : result.error.kind}`)
  }

  async #undo(person: Person): Promise<void> {
    const result = await person.desk.handlers['undo.undo']({ workspaceId })
    this.#say(person, `undoes: ${result.ok ? result.value.label : result.error.kind}`)
    // Which of them it took back is not known here.
    if (result.ok) person.wishes.clear()
  }

  #othersAct(deed: 'others write' | 'others delete'): void {
    const environment = this.#dice.pick(this.#service.state.environments)
    const name = this.#dice.pick(deed === 'others write' && this.#dice.chance(0.7) ? names.slice(0, 4) : names)
    if (environment === undefined || name === undefined) return
    if (deed === 'others write') this.#othersWrite(environment.slug, name)
    else this.#othersDelete(environment.slug, name)
  }

  #othersWrite(slug: string, name: string): void {
    if (!this.#service.state.environments.some((each) => each.slug === slug)) return
    const known = this.#service.variable(project, slug, name)
    const text = this.#newText('others')
    this.trace.push(`others write ${text} into ${slug}/${name}${known === undefined ? '' : `, which was ${this.#textOf(known.value)}`}`)
    this.#touched('others', this.#service.setVariable(project, slug, name, text).id)
  }

  #othersDelete(slug: string, name: string): void {
    const known = this.#service.variable(project, slug, name)
    if (known === undefined) return
    this.trace.push(`others delete ${slug}/${name}, which was ${this.#textOf(known.value)}`)
    this.#touched('others', known.id)
    this.#service.deleteVariable(project, slug, name)
  }

  #touched(by: string, id: string): void {
    if (by === 'others') this.#byOthers.push(id)
    this.#touchedBy.set(id, (this.#touchedBy.get(id) ?? new Set()).add(by))
  }

  async #sync(person: Person): Promise<void> {
    this.#clock += 600_000
    this.#say(person, 'syncs')
    await person.client.sync()
    if (this.#broken !== null) throw this.#broken
  }

  /** One question is shown, and answered at once or after something else has happened. */
  async #answerOne(person: Person): Promise<void> {
    const conflict = this.#dice.pick(await this.#conflicts(person))
    if (conflict === undefined) return
    const rowId = this.#rowOf(person, conflict.changeId)
    this.#checkQuestion(person, conflict, rowId)
    for (const { field, theirs } of conflict.fields) if (field === 'value' && theirs.text !== null) person.shown.add(theirs.text)
    if (!this.#isHealed && this.#dice.chance(0.3)) {
      if (this.#dice.chance(0.5)) this.#othersAct('others write')
      await this.#sync(person)
    }
    const take = this.#dice.chance(0.5) ? ('mine' as const) : ('theirs' as const)
    const { changeId, fingerprint } = conflict
    const result = await person.desk.handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take } })
    this.#say(person, `takes ${take} about ${conflict.name} (${conflict.kind}): ${result.ok ? 'done' : result.error.kind}`)
    if (!result.ok || take === 'mine') return
    // Whatever was typed in an environment goes with it.
    if (conflict.subject !== 'variable') person.wishes.clear()
    else if (rowId !== null) this.#giveUp(person, rowId)
  }

  /** All that waits for a decision is decided, and everything is sent: then all see what the service has. */
  async #end(): Promise<void> {
    this.trace.push('the network heals')
    this.#isHealed = true
    for (let round = 0; round < 20; round += 1) {
      for (const person of this.#people) {
        await this.#trackAll(person)
        await this.#sync(person)
        await this.#answerOne(person)
        await this.#decideOne(person)
      }
      if (this.#people.every(({ client }) => client.entries().length === 0)) break
    }
    for (const person of this.#people) {
      await this.#trackAll(person)
      await this.#sync(person)
      const left = person.client.queueRows().map(({ name, kind, state, reason }) => `${kind} ${name} ${state} ${reason}`)
      if (left.length > 0) throw new Violation(`${person.name} cannot get rid of ${left.join('; ')}`)
      this.#checkWishes(person)
      this.#checkScreen(person)
    }
  }

  /** What the service cannot do is sent again, or given up. */
  async #decideOne(person: Person): Promise<void> {
    const waiting = person.client.queueRows().find(({ state }) => state === 'failed' || state === 'blocked')
    if (waiting === undefined) return
    const { changeId } = waiting
    const rowId = this.#rowOf(person, changeId)
    if (this.#dice.chance(0.3)) {
      await person.desk.handlers['queue.retry']({ workspaceId, changeId })
      this.#say(person, `sends ${waiting.kind} ${waiting.name} again`)
      return
    }
    const result = await person.desk.handlers['queue.discard']({ workspaceId, changeId })
    this.#say(person, `discards ${waiting.kind} ${waiting.name} (${waiting.reason}): ${result.ok ? 'done' : result.error.kind}`)
    if (result.ok && waiting.subject !== 'variable') person.wishes.clear()
    else if (result.ok && rowId !== null) this.#giveUp(person, rowId)
  }

  /** Nobody is asked about what nobody else has touched. */
  #checkQuestion(person: Person, { kind, name, subject }: ConflictRow, rowId: string | null): void {
    const remoteId = rowId === null ? null : person.client.remoteIdOf(rowId)
    if (subject !== 'variable' || kind === 'name-taken' || remoteId === null || this.#formerSlugs.size > 0) return
    const others = [...(this.#touchedBy.get(remoteId) ?? [])].filter((each) => each !== person.name)
    if (others.length === 0) throw new Violation(`${person.name} is asked about ${name} (${kind}), which nobody else has touched`)
  }

  #checkWishes(person: Person): void {
    const stored = this.#stored()
    const texts = new Set([...stored.values()].map(({ text }) => text))
    for (const { rowId, text, slug, name } of person.wishes) {
      if (text !== null && !texts.has(text)) throw new Violation(`what ${person.name} typed, ${text}, is nowhere`)
      const remoteId = person.client.remoteIdOf(rowId)
      const left = remoteId === null ? undefined : stored.get(remoteId)
      // What gets another slug or name is gone to who asks for the former one, and is there again once it is seen under the new one.
      if (text !== null || this.#formerSlugs.has(slug) || left?.name !== name) continue
      throw new Violation(`what ${person.name} deleted is there: ${left.text}`)
    }
  }

  #checkScreen(person: Person): void {
    const { environments, variables } = this.#service.state
    const there = Object.fromEntries([
      [project, ''],
      ...environments.map(({ slug }) => [`${project}/${slug}`, '']),
      ...variables.map(({ environmentId, name, value }) => {
        const slug = environments.find(({ id }) => id === environmentId)?.slug
        return [`${project}/${slug}/${name}`, this.#textOf(value)]
      }),
    ]) as Record<string, string>
    const shown = person.client.contents()
    for (const path of new Set([...Object.keys(there), ...Object.keys(shown)])) {
      if (there[path] !== shown[path])
        throw new Violation(`${person.name} sees ${path} as ${shown[path]}, and the service has ${there[path]}`)
    }
  }

  /** Carries a request, with what may happen to it, and judges what it did to the service. */
  async #carry(person: Person, { method, path }: NetworkRequest, forward: () => Promise<Response>): Promise<Response> {
    // What is about to be read may have changed in this moment. What was read may not, before it is written: without ETags nothing guards that.
    const [, slug, name] = /^\/projects\/[^/]+\/environments\/([^/]+)\/variables\/([^/]+)$/.exec(path) ?? []
    if (!this.#isHealed && method === 'GET' && slug !== undefined && name !== undefined && this.#dice.chance(0.06))
      this.#othersWrite(slug, name)
    const judged = async () => {
      // Several reads may be under way at once.
      if (method === 'GET') return forward()
      const before = this.#stored()
      const since = this.#byOthers.length
      const slugs = this.#service.state.environments.map(({ slug }) => slug)
      const answer = await forward()
      for (const slug of slugs) if (!this.#service.state.environments.some((each) => each.slug === slug)) this.#formerSlugs.add(slug)
      // While this was under way, a read of the same person may have let others write.
      for (const id of this.#byOthers.slice(since)) before.delete(id)
      this.#judge(person, before, this.#stored())
      return answer
    }
    if (this.#isHealed || this.#dice.chance(0.7)) return judged()
    const drawn = drawFault(this.#dice)
    // No service without ETags can be guarded against what arrives long after its sender gave up.
    const fault: Fault = drawn === 'late' ? 'before' : drawn
    if (fault !== 'none') this.#say(person, `meets ${fault}`)
    return withFault(fault, judged, () => undefined)
  }

  #judge(person: Person, before: Map<string, Stored>, after: Map<string, Stored>): void {
    for (const [id, { text, name }] of before) {
      const now = after.get(id)
      if (now === undefined || now.text !== text || now.name !== name) this.#touched(person.name, id)
      if (now?.text === text) continue
      this.#say(person, now === undefined ? `has deleted ${text}` : `has replaced ${text} by ${now.text}`)
      // Thrown here, it would count as a failure of the network.
      if (!person.shown.has(text))
        this.#broken ??= new Violation(`${person.name} ${now === undefined ? 'deleted' : 'replaced'} ${text} unseen`)
    }
    const texts = new Set([...after.values()].map(({ text }) => text))
    for (const wish of person.wishes) if (wish.text !== null && texts.has(wish.text)) person.wishes.delete(wish)
  }

  #stored(): Map<string, Stored> {
    return new Map(this.#service.state.variables.map(({ id, name, value }) => [id, { name, text: this.#textOf(value) }]))
  }

  #textOf(value: string): string {
    return value.startsWith('v1:') ? (decryptValue(this.#key, value) ?? '(unreadable)') : value
  }

  #newText(by: string): string {
    this.#texts += 1
    return `${by}-${this.#texts}`
  }

  #say(person: Person, what: string): void {
    this.trace.push(`${person.name} ${what}`)
  }

  /** A later wish about a variable stands in the place of earlier ones. */
  #wish(person: Person, wish: Wish): void {
    this.#giveUp(person, wish.rowId)
    person.wishes.add(wish)
    if (wish.text !== null) person.shown.add(wish.text)
  }

  #giveUp(person: Person, rowId: string): void {
    for (const wish of person.wishes) if (wish.rowId === rowId) person.wishes.delete(wish)
  }

  #rowOf({ client }: Person, changeId: string): string | null {
    return client.queue().find(({ id }) => id === changeId)?.rowId ?? null
  }

  /** Returns the text of a variable; null: it has none, or it cannot be shown. */
  async #sees({ desk, shown, sawIn }: Person, { id }: Pick<VariableRow, 'id'>): Promise<string | null> {
    const [cell] = await valueOf(desk.handlers['variables.values']({ workspaceId, ids: [id], reveal: true }))
    if (cell === undefined || !('value' in cell)) return null
    shown.add(cell.value)
    sawIn.set(id, (sawIn.get(id) ?? new Set()).add(cell.value))
    return cell.value
  }

  /** Looks at all variables of an environment, and returns them by name. */
  async #seesAllIn(person: Person, environmentId: string): Promise<Map<string, Opened>> {
    const seen = new Map<string, Opened>()
    for (const row of await this.#rows(person))
      if (row.environmentId === environmentId) seen.set(row.name, { row, text: await this.#sees(person, row) })
    return seen
  }

  async #trackAll(person: Person): Promise<void> {
    for (const { slug } of this.#service.state.environments) {
      const tracked = { workspaceId, project, environment: slug, names: names.join(' ') }
      await valueOf(person.desk.handlers['tracked.add'](tracked))
    }
  }

  async #slugOf(person: Person, { environmentId }: VariableRow): Promise<string> {
    const found = (await this.#environments(person)).find(({ id }) => id === environmentId)
    if (found === undefined) throw new Error('a variable without an environment')
    return found.slug
  }

  async #environments({ desk }: Person) {
    return valueOf(desk.handlers['environments.list']({ workspaceId }))
  }

  async #rows(person: Person): Promise<VariableRow[]> {
    const rows: VariableRow[] = []
    for (const { id } of await this.#environments(person)) {
      const args = { workspaceId, environmentId: id, filter: '', offset: 0, limit: 100 }
      rows.push(...(await valueOf(person.desk.handlers['variables.page'](args))).rows)
    }
    return rows
  }

  async #conflicts({ desk }: Person): Promise<ConflictRow[]> {
    const open = (await valueOf(desk.handlers['queue.list']({ workspaceId }))).filter(({ state }) => state === 'conflict')
    return Promise.all(open.map(({ changeId }) => valueOf(desk.handlers['conflicts.show']({ workspaceId, changeId, reveal: true }))))
  }
}
