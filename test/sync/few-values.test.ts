import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import fc from 'fast-check'
import { test } from 'vitest'
import type { ConflictRow, VariableType } from '../../electron/bridge/rows.ts'
import { startFuzzService, type FuzzService } from '../fuzz/fuzz-service.ts'
import { TestClient, type Network } from '../support/build-client.ts'
import { deskOf, workspaceId, type Desk } from '../support/desk.ts'
import { withoutFeed } from '../support/reduced-service.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { valueOf } from '../support/value-of.ts'

/** One variable as a person sees it. Few values each: people type what was there before, and what others type. */
interface Look {
  value: string
  type: string
  name: string
  place: string
}
type Field = keyof Look

const choices = {
  value: ['one', 'two', 'three'],
  type: ['string', 'number'],
  name: ['FIRST', 'OTHER'],
  place: ['prod', 'dev'],
} as const satisfies Record<Field, readonly string[]>
const fields = ['value', 'type', 'name', 'place'] as const

const edits = ['value', 'value', 'value', 'value', 'type', 'type', 'name', 'place', 'place', 'delete'] as const
const others = ['look', 'sync', 'sync', 'mine', 'mine', 'theirs', 'discard', 'undo', 'restart'] as const

interface Deed {
  who: number
  does: (typeof edits)[number] | (typeof others)[number]
  /** Which of the screens that are still open, the last one first. */
  screen: number
  /** Which of the other values. */
  text: number
}

const deed = fc.record({ who: fc.nat(1), does: fc.constantFrom(...edits, ...others), screen: fc.nat(2), text: fc.nat(1) })
/** An edit by one that the other's application hears of while a screen from before stays open. */
const meanwhile = deed.map((by): Deed[] => [by, { ...by, does: 'sync' }, { ...by, who: 1 - by.who, does: 'sync' }])
const history = fc
  .array(
    fc.oneof(
      deed.map((each): Deed[] => [each]),
      meanwhile,
    ),
    { maxLength: 16, size: 'max' },
  )
  .map((all) => all.flat())

interface Screen {
  id: string
  rev: number
  shows: Look
}

/** What was typed into a field and is not sent yet. */
interface Typed {
  /** What the person saw there before they began; null: they undid something, and may be where they began. */
  first: string | null
  /** All they have seen there since. */
  overs: Set<string>
  text: string
}

/** A person, as they would tell it: what their screens show, and what they typed or deleted that is not sent. */
class Person {
  readonly desk: Desk
  screens: Screen[] = []
  readonly typed = new Map<Field, Typed>()
  /** The variable as it was shown when they deleted it. */
  deleted: Look | null = null
  /** They chose to have back what others deleted. */
  wantsBack = false
  isAsked = false
  done: { field: Field; over: string; text: string }[] = []

  constructor(client: TestClient) {
    this.desk = deskOf(client)
  }

  placeId(slug: string): string {
    const { client } = this.desk
    return client.find('environment', client.find('project', null, 'shop').id, slug).id
  }

  async look(): Promise<Screen | null> {
    for (const place of choices.place) {
      const args = { workspaceId, environmentId: this.placeId(place), filter: '', offset: 0, limit: 100 }
      const [row] = (await valueOf(this.desk.handlers['variables.page'](args))).rows
      if (row === undefined) continue
      const value = this.desk.client.contents()[`shop/${place}/${row.name}`]
      return { id: row.id, rev: row.rev, shows: { value: value ?? '?', type: row.type ?? '?', name: row.name, place } }
    }
    return null
  }

  async questions(): Promise<ConflictRow[]> {
    const { handlers } = this.desk
    const rows = await valueOf(handlers['queue.list']({ workspaceId }))
    const open = rows.filter(({ state }) => state === 'conflict')
    return Promise.all(open.map(({ changeId }) => valueOf(handlers['conflicts.show']({ workspaceId, changeId, reveal: true }))))
  }

  forget(): void {
    this.typed.clear()
    this.deleted = null
    this.wantsBack = false
    this.done = []
  }

  type(field: Field, over: string, text: string): void {
    const earlier = this.typed.get(field)
    if (earlier === undefined) this.typed.set(field, { first: over, overs: new Set([over]), text })
    else {
      earlier.overs.add(over)
      earlier.text = text
    }
  }

  /** Whether they have seen, or typed themselves, all of this. */
  knows(look: Look): boolean {
    return fields.every((field) => this.deleted?.[field] === look[field] || this.typed.get(field)?.overs.has(look[field]) === true)
  }
}

const by = (who: number, ...all: Deed['does'][]): Deed[] => all.map((does) => ({ who, does, screen: 0, text: 0 }))
/** Once taken for an overwrite. What was typed before a deletion is sent if the deletion is discarded. */
const pinned = [[[...by(0, 'place', 'sync'), ...by(1, 'sync', 'value', 'delete', 'discard'), ...by(0, 'mine', 'sync'), ...by(1, 'sync')]]]

const open: Network = (forward) => forward()
const { HOLDFAST_SEED, HOLDFAST_GAMES = '60' } = process.env

test.each<{ service: string; network: Network; left: readonly string[] }>([
  { service: 'service with every extension', network: open, left: [] },
  // A move is two changes of two records there, and a record read by itself tells no type.
  { service: 'service without a feed', network: withoutFeed, left: ['place', 'type'] },
])(
  'typing what was there before, and what others typed, loses and overwrites nothing ($service)',
  async ({ network, left }) => {
    const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
    const run = fc.asyncProperty(history, async (deeds) => {
      const service = await startFuzzService(parent, {})
      const key = randomBytes(32)
      const [host, ...clients] = [1, 2, 3].map(
        (seed) => new TestClient({ service, key, random: seededRandom(seed), parent, fetch: service.fetch }),
      )
      try {
        if (host === undefined) throw new Error('no client')
        host.createProject('Shop')
        for (const name of ['Prod', 'Dev']) host.createEnvironment('shop', name)
        host.setVariable(host.find('environment', host.find('project', null, 'shop').id, 'prod').id, 'FIRST', 'one')
        await host.sync()
        for (const each of clients) each.network = network
        for (const each of clients) await each.sync()
        const people = clients.map((each) => new Person(each))
        const told: string[] = []
        for (const person of people) await redraw(person)
        for (const each of deeds) {
          const person = people[each.who]
          if (person === undefined || left.includes(each.does)) continue
          told.push(`${each.who} ${each.does}`)
          await play(person, service, each, told)
        }
      } finally {
        for (const client of [...clients, host]) await client?.close()
        await service.close()
      }
    })
    const seed = HOLDFAST_SEED === undefined ? {} : { seed: Number(HOLDFAST_SEED) }
    await fc.assert(run, { numRuns: Number(HOLDFAST_GAMES), examples: pinned, ...seed })
  },
  Number(HOLDFAST_GAMES) * 10_000,
)

async function redraw(person: Person): Promise<void> {
  person.isAsked = (await person.questions()).length > 0
  const screen = await person.look()
  person.screens = screen === null ? [] : [screen]
}

/** The variable on the service. */
function stands(service: FuzzService, { cipher }: TestClient): Look | null {
  const { variables, environments } = service.stored()
  const [row, ...more] = variables
  if (more.length > 0) throw new Error(`${variables.length} variables`)
  if (row === undefined) return null
  const place = environments.find(({ id }) => id === row.environment_id)?.slug ?? '?'
  return { value: cipher.open(row.value) ?? '?', type: row.type, name: row.name, place }
}

async function play(person: Person, service: FuzzService, { does, screen: nth, text: choice }: Deed, told: string[]): Promise<void> {
  const { desk, typed } = person
  switch (does) {
    case 'look': {
      const screen = await person.look()
      if (screen !== null) person.screens = [screen, ...person.screens].slice(0, 3)
      return
    }
    case 'restart':
      desk.client.restart()
      person.done = []
      return redraw(person)
    case 'sync':
      return sync(person, service, told)
    case 'mine':
    case 'theirs':
    case 'discard':
      for (const question of await person.questions()) await answer(person, question, does, told)
      person.isAsked = (await person.questions()).length > 0
      return
    case 'undo': {
      const last = person.done.pop()
      if (last === undefined || (await person.questions()).length > 0) return
      told.push(`  ${last.field}: ${last.text} back to ${last.over}`)
      await desk.handlers['undo.undo']({ workspaceId })
      const mine = typed.get(last.field)
      // Where others changed it since, nothing is undone.
      typed.set(last.field, { first: null, overs: new Set([...(mine?.overs ?? []), last.text]), text: last.over })
      return redraw(person)
    }
    case 'delete': {
      const screen = await openScreen(person, nth)
      if (screen === null) return
      told.push(`  ${JSON.stringify(screen.shows)}`)
      const { id, rev: seen, shows } = screen
      person.deleted = shows
      person.done = []
      await valueOf(desk.handlers['variables.delete']({ workspaceId, rows: [{ id, seen }] }))
      return redraw(person)
    }
    default: {
      const screen = await openScreen(person, nth)
      if (screen === null) return
      const over = screen.shows[does]
      const rest = choices[does].filter((each) => each !== over)
      const text = rest[choice % rest.length] ?? over
      told.push(`  ${does}: ${over} -> ${text}`)
      const isSo = (await person.look())?.shows[does] === text
      if (!(await write(person, screen, does, text))) {
        // It says that nothing was moved: the variable is not where the screen shows it.
        if ((await person.look())?.shows.place === over) throw new Error(`moves nothing\n${told.join('\n')}`)
        return redraw(person)
      }
      // What others have made the same meanwhile is done.
      if (isSo) return redraw(person)
      person.type(does, over, text)
      person.done.push({ field: does, over, text })
      // What one types oneself is on all of one's screens at once.
      for (const shown of person.screens) shown.shows = { ...shown.shows, [does]: text }
      person.isAsked = (await person.questions()).length > 0
      return
    }
  }
}

/** While something is asked, its user answers first. */
async function openScreen(person: Person, nth: number): Promise<Screen | null> {
  const screen = person.screens[nth % Math.max(1, person.screens.length)]
  return screen === undefined || person.deleted !== null || (await person.questions()).length > 0 ? null : screen
}

/** Does it on that screen; false: the application says that it was not done. */
async function write(person: Person, { id, rev: seen }: Screen, field: Field, text: string): Promise<boolean> {
  const { handlers } = person.desk
  if (field === 'place') {
    const rows = [{ id, seen }]
    const environmentId = person.placeId(text)
    const move = { workspaceId, rows, environmentId, seen, onTaken: 'overwrite', move: true } as const
    return (await valueOf(handlers['variables.copy-to'](move))).copied > 0
  }
  if (field === 'type') await valueOf(handlers['variables.update']({ workspaceId, id, seen, type: text as VariableType }))
  else await valueOf(handlers['variables.update']({ workspaceId, id, seen, [field]: text }))
  return true
}

async function sync(person: Person, service: FuzzService, told: string[]): Promise<void> {
  const { desk, typed } = person
  const before = stands(service, desk.client)
  await desk.client.sync()
  const after = stands(service, desk.client)
  const questions = await person.questions()
  const isAsked = questions.length > 0
  told.push(`  ${JSON.stringify(before)} -> ${JSON.stringify(after)}`, ...questions.map(asText))
  const broken = (how: string) => new Error(`${how}\n${told.join('\n')}`)

  if (isAsked && !person.isAsked) {
    const changed = before !== null && [...typed].some(([field, { first, text }]) => before[field] !== first && before[field] !== text)
    const isNew = before !== null && person.deleted !== null && fields.some((field) => person.deleted?.[field] !== before[field])
    if (before !== null && !changed && !isNew) throw broken('asks for nothing')
  }
  if (before !== null && after === null && !(person.deleted !== null && person.knows(before))) throw broken('deletes what was not shown')
  if (before === null && after !== null && !person.wantsBack) throw broken('brings back what others deleted')
  if (before !== null && after !== null) {
    for (const field of fields) {
      const mine = typed.get(field)
      if (after[field] === before[field]) continue
      if (mine?.text !== after[field] || !mine.overs.has(before[field])) throw broken(`overwrites ${field}`)
    }
  }
  // A service without a feed creates no variable: what it can't do waits, with its reason.
  const waits = desk.client.queue().some(({ state, reason }) => state === 'blocked' && reason !== null)
  if (!isAsked && !waits) {
    if (person.deleted !== null && after !== null) throw broken('loses a deletion')
    for (const [field, { first, text }] of typed) {
      if (person.deleted === null && first !== null && text !== first && after?.[field] !== text) throw broken(`loses ${field}`)
    }
    const { done } = person
    person.forget()
    person.done = done
  }
  person.isAsked = isAsked
}

const asText = ({ kind, fields: sides }: ConflictRow): string =>
  `  ${kind}: ${sides.map(({ field, was, mine, theirs }) => `${field} was ${was.text}, mine ${mine.text}, theirs ${theirs.text}`).join('; ')}`

async function answer(person: Person, question: ConflictRow, does: 'mine' | 'theirs' | 'discard', told: string[]): Promise<void> {
  const { changeId, fingerprint } = question
  const { handlers } = person.desk
  told.push(asText(question))
  if (does === 'discard') await valueOf(handlers['queue.discard']({ workspaceId, changeId }))
  else await valueOf(handlers['conflicts.resolve']({ workspaceId, changeId, fingerprint, choice: { take: does } }))
  person.done = []
  if (does !== 'mine') {
    const typed = person.deleted === null ? [] : [...person.typed]
    person.forget()
    await redraw(person)
    // What was typed before a deletion comes back with it, and is sent.
    const shown = does === 'discard' ? person.screens[0]?.shows : undefined
    for (const [field, mine] of typed) if (shown?.[field] === mine.text) person.typed.set(field, mine)
    return
  }
  if (question.kind === 'deleted-remotely') person.wantsBack = true
  for (const { field: shown, theirs } of question.fields) {
    const field = shown === 'parent' ? 'place' : fields.find((each) => each === shown)
    if (field === undefined) continue
    const text = field === 'place' ? (theirs.text ?? '?').toLowerCase() : (theirs.text ?? '?')
    if (person.deleted !== null) {
      person.deleted[field] = text
      continue
    }
    const mine = person.typed.get(field)
    if (mine !== undefined) Object.assign(mine, { first: text, overs: new Set([text]) })
  }
  return redraw(person)
}
