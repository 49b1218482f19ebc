import { SvelteMap, SvelteSet } from 'svelte/reactivity'
import type { AppError } from '../../../electron/bridge/app-error.ts'
import type { Bridge } from '../../../electron/bridge/bridge.ts'
import type { Result } from '../../../electron/bridge/result.ts'
import type { VariableRow, VariableType } from '../../../electron/bridge/rows.ts'
import { pageId } from '../../lib/page-id.ts'
import { toasts } from '../../lib/toasts.svelte.ts'
import { looksLikeJson, valueLook, type ValueLook } from '../../domain/value-look.ts'
import { ImportDraft, type KeptImport } from './import-draft.svelte.ts'

/** A name or value being edited in place. */
export interface Edit {
  row: VariableRow
  /** Where the row was last seen, so that its editor has a place while the row isn't loaded or shown. */
  index: number
  field: 'name' | 'value'
  original: string
  /**
   * `rev`: the revision of the row when the editor was opened. `seen`: the newest one that the editor has shown; the edit is based on it.
   */
  rev: number
  seen: number
  /** Of a new variable: the one of its name that others created meanwhile, once the editor has shown it. */
  over: string | null
  text: string
  /** The kind of editor for the value. */
  look: ValueLook
  /** In the large editor: the text is read as JSON. */
  isJson: boolean
  /** The old value cannot be read; saving replaces it. */
  unreadable: boolean
  error: string | null
  /** The row was deleted: the text can only become a new variable. */
  gone: boolean
  /** Once it is saved: the step of undo that this made. */
  step?: string
}

/** An environment being edited as text. */
export interface TextDraft {
  environmentId: string
  /** The text as it was read. */
  base: string
  text: string
  /** The revision at which it was read. */
  rev: number
  /** The variables that the text can't express, and so leaves alone. */
  keepNames: string[]
  /** The environment had no secret when the text was read: the text is shown without asking. */
  isPlain: boolean
  /** Its changes are being reviewed. Left out: the text itself is shown. */
  isReviewed?: boolean
  /** The names whose secret switch the user set in the review. */
  secretNames?: { name: string; isSecret: boolean }[]
  /** The new names for which the review proposed a rename, and the user chose a new variable instead. */
  newNames?: string[]
}

/** The beginning of an edit: nothing typed yet. */
export const newEdit = (
  row: VariableRow,
  index: number,
  field: Edit['field'],
  original: string,
  { rev = row.rev, unreadable = false }: { rev?: number; unreadable?: boolean } = {},
): Edit => ({
  row,
  index,
  field,
  original,
  rev,
  seen: rev,
  over: null,
  text: original,
  look: field === 'value' ? valueLook(row.type, original) : 'line',
  isJson: looksLikeJson(original),
  unreadable,
  error: null,
  gone: false,
})

const isTyped = (edit: Edit): boolean => edit.text !== edit.original

/** Replaces the original text of an editor with a copied one. Text that is already typed there stays. */
export const pasteInto = (edit: Edit, text: string): void => {
  if (isTyped(edit)) return
  edit.text = text
  edit.look = valueLook(edit.row.type, text)
}

/** A variable being typed that does not exist yet. */
export interface Addition {
  name: string
  value: string
  type: VariableType
  isSecret: boolean
  /** The user set the secret switch, so it is not guessed from the name any more. */
  secretChosen: boolean
  error: AppError | null
}

const nothing = (): Addition => ({ name: '', value: '', type: 'string', isSecret: false, secretChosen: false, error: null })

/** A name being typed in the tree: of a new project, of a new environment in a project, or in place of the one that a row has. */
export type Naming =
  | { of: 'project'; text: string }
  | { of: 'environment'; projectId: string; text: string }
  /** `rev`: the revision of the row when its name was opened. A name that others give it meanwhile is not overwritten without asking. */
  | { of: 'row'; id: string; rev: number; text: string; original: string }

/** The small forms of a workspace that are half typed. */
export interface Forms {
  naming?: Naming
  version?: { environmentId: string; label: string; note: string }
  /** `roleId` null: the usual role. */
  invitation?: { email: string; roleId: string | null }
  /** Names that are to be tracked. */
  tracking?: { project: string; environment: string; names: string }
  /** The values that are typed to resolve the conflict of a change, by field. */
  conflict?: { changeId: string; typed: Record<string, string> }
}

/** The forms in which something is typed. */
export const typedForms = ({ naming, version, invitation, tracking, conflict }: Forms): Forms => ({
  ...(naming && naming.text !== (naming.of === 'row' ? naming.original : '') && { naming }),
  ...(version && version.label + version.note !== '' && { version }),
  ...(invitation && invitation.email !== '' && { invitation }),
  ...(tracking && tracking.names !== '' && { tracking }),
  ...(conflict && { conflict }),
})

/** The forms in which something is typed for an environment or project that is not in `known`: no screen has a field for it. */
export const formsOfDeleted = (forms: Forms, known: ReadonlySet<string>): Pick<Forms, 'naming' | 'version'> => {
  const { naming, version } = typedForms(forms)
  const named = naming === undefined || naming.of === 'project' ? null : naming.of === 'row' ? naming.id : naming.projectId
  return {
    ...(naming && named !== null && !known.has(named) && { naming }),
    ...(version && !known.has(version.environmentId) && { version }),
  }
}

/** The drafts as `toJson` returns them. Earlier versions of Holdfast kept no waiting edits, a single text, and no imports. */
type Kept = Pick<Drafts, 'edit' | 'addition' | 'waiting'> &
  Partial<Pick<Drafts, 'waitingEdits' | 'texts' | 'forms'>> & { text?: TextDraft | null; imports?: KeptImport[] }

/** The unsaved drafts of one environment, of the comparison of one project, or of the forms of a workspace. */
export class Drafts {
  edit = $state<Edit | null>(null)
  /** Resolves to whether the edit was saved; null while none is being saved. The editor ignores keys until then. */
  saving = $state.raw<Promise<boolean> | null>(null)
  addition = $state<Addition>(nothing())
  /** Additions that the application has not answered yet: a lock meanwhile may refuse them. */
  adding = $state.raw<readonly Addition[]>([])
  /** Additions that were refused after the next one was begun: they return to the line as soon as it is empty. */
  waiting = $state<Addition[]>([])
  /** The environments that are edited as text: more than one where other pages left theirs. */
  texts = $state<TextDraft[]>([])
  /** The imports. The first is open; the others, which other pages left, open in their turn. */
  imports = $state.raw<readonly ImportDraft[]>([])
  /**
   * Edits that were restored while another editor had unsaved text. The first opens when the screen is shown next, or when the user asks
   * for it.
   */
  waitingEdits = $state<Edit[]>([])
  /** The forms that are open, also those in which nothing is typed. */
  forms = $state<Forms>({})
  #added: Promise<unknown> = Promise.resolve()

  /** The text of an environment. */
  textOf(environmentId: string): TextDraft | null {
    return this.texts.find((text) => text.environmentId === environmentId) ?? null
  }

  /** The import that is open. */
  get importing(): ImportDraft | null {
    return this.imports[0] ?? null
  }

  /** Empties the line for the next addition and returns the one that was in it. */
  takeAddition(): Addition {
    const taken = this.addition
    this.addition = nothing()
    return taken
  }

  /**
   * Takes the addition out of the line and saves it after those before. It stays a draft until `save` has returned null; with a reason, it
   * returns to the line.
   */
  add(save: (addition: Addition) => Promise<AppError | null>): Promise<AppError | null> {
    const addition = this.takeAddition()
    this.adding = [...this.adding, addition]
    const added = this.#added.then(async () => {
      const error = await save(addition)
      this.adding = this.adding.filter((one) => one !== addition)
      if (error === null) this.fillLine()
      else this.offerAddition({ ...addition, error })
      return error
    })
    this.#added = added
    return added
  }

  /** Resolves when all saves under way are answered. */
  async answered(): Promise<void> {
    await Promise.all([this.saving, this.#added])
  }

  /** Puts an addition into the line, at once if nothing is typed there. */
  offerAddition(addition: Addition): void {
    this.waiting.push(addition)
    this.fillLine()
  }

  /** Puts a waiting addition into the line if nothing is typed there. */
  fillLine(): void {
    if (this.addition.name !== '' || this.addition.value !== '') return
    const next = this.waiting.shift()
    if (next !== undefined) this.addition = next
  }

  /** Opens the first waiting edit, unless another editor has unsaved text. */
  openWaitingEdit(): void {
    if (this.saving !== null || (this.edit !== null && isTyped(this.edit))) return
    this.edit = this.waitingEdits.shift() ?? this.edit
  }

  /** Offers the first waiting edit. If the user takes it, the edit that was open waits in its turn. */
  #offerWaitingEdit(): void {
    const [first] = this.waitingEdits
    if (first === undefined) return
    const restore = () => {
      // An edit that is being saved may still be refused, and then has to say why.
      if (this.saving === null) {
        if (this.edit !== null && isTyped(this.edit)) this.waitingEdits.push(this.edit)
        this.edit = this.waitingEdits.shift() ?? this.edit
      }
      this.#offerWaitingEdit()
    }
    toasts.say(`Found your unsaved change to ${first.row.name}`, 'plain', { name: 'Restore', run: restore })
  }

  /** Whether a new variable is typed or not answered yet. */
  get isAdding(): boolean {
    return this.addition.name !== '' || this.addition.value !== '' || this.adding.length > 0
  }

  /** All that is typed, to be copied elsewhere: a new variable as NAME=value. Empty: nothing is. */
  get typed(): string {
    const { edit, texts, imports, addition, adding, waiting, waitingEdits } = this
    const edits = [edit, ...waitingEdits].flatMap((one) => (one !== null && isTyped(one) ? one.text : []))
    const additions = [addition, ...adding, ...waiting].map(({ name, value }) =>
      name === '' || value === '' ? name + value : `${name}=${value}`,
    )
    const changed = texts.filter(({ text, base }) => text !== base)
    return [...[...changed, ...imports].map(({ text }) => text), ...edits, ...additions].filter((one) => one !== '').join('\n')
  }

  /** Drops all that is typed. */
  clear(): void {
    const { edit, addition, adding, waiting, texts, imports, waitingEdits, forms } = new Drafts()
    Object.assign(this, { edit, addition, adding, waiting, texts, imports, waitingEdits, forms })
  }

  /** As one text; null: nothing is typed. */
  toJson(): string | null {
    const { addition, texts, waitingEdits } = this
    const waiting = [...this.adding, ...this.waiting]
    const edit = this.edit !== null && isTyped(this.edit) ? this.edit : null
    const imports = this.imports.filter(({ text }) => text !== '')
    const forms = typedForms(this.forms)
    const lists = [waiting, waitingEdits, texts, imports, Object.keys(forms)]
    if (edit === null && lists.every(({ length }) => length === 0) && !this.isAdding) return null
    return JSON.stringify({ edit, addition, waiting, texts, waitingEdits, imports, forms })
  }

  /**
   * Restores the drafts from the result of `toJson`. Text that was typed meanwhile stays where it is. Returns false, and restores nothing, where a
   * form is typed in here as well: there is one of each.
   */
  adopt(json: string): boolean {
    const { edit, addition, waiting, waitingEdits = [], text = null, texts = [], imports = [], forms = {} } = JSON.parse(json) as Kept
    const typed = typedForms(this.forms)
    if (Object.keys(forms).some((form) => form in typed)) return false
    this.waitingEdits.push(...(edit === null ? [] : [edit]), ...waitingEdits)
    this.openWaitingEdit()
    this.#offerWaitingEdit()
    this.texts.push(...(text === null ? [] : [text]), ...texts)
    this.imports = [...this.imports, ...imports.map((one) => new ImportDraft(one))]
    this.forms = { ...this.forms, ...forms }
    // Why it was refused before may no longer hold.
    for (const one of [addition, ...waiting]) if (one.name + one.value !== '') this.offerAddition({ ...one, error: null })
    return true
  }
}

const kept = new Map<string, Drafts>()

/**
 * The drafts of an environment's screen, of the comparison of a project, or of the forms of a workspace. They outlive the screen, so that
 * leaving it loses no typing.
 */
export const draftsOf = (placeId: string): Drafts => {
  const found = kept.get(placeId)
  if (found) return found
  const drafts = new Drafts()
  kept.set(placeId, drafts)
  return drafts
}

/** Whether it has unsaved typing. */
export const hasDrafts = (placeId: string): boolean => (kept.get(placeId)?.toJson() ?? null) !== null

/** Sealing and storing a draft of so many characters takes longer than a key may: it waits for a pause in the typing. */
const longDraft = 100_000

/** How long a refused draft waits for its next try: the disk may be full for a moment, or the connection lost. */
const retryMs = 3000

/** The only input that can be wrong. Trying again would not help. */
const tooLong: AppError = {
  kind: 'invalid-input',
  message: 'Your unsaved text is too long to survive a lock or restart. Save it before you lock or quit Holdfast.',
}

/** A place as the application knows it: each page keeps its own drafts, so that none replaces another’s. */
const keptAt = (placeId: string) => `${placeId}/${pageId}`

/** By place: the drafts that other pages left there and this page has adopted. It deletes them as it keeps them as its own. */
const adopted = new Map<string, string[]>()

/** By workspace: the places whose drafts this page has restored or keeps. */
const places = new SvelteMap<string, SvelteSet<string>>()

const addPlace = (workspaceId: string, placeId: string) => {
  const known = places.get(workspaceId) ?? new SvelteSet()
  places.set(workspaceId, known.add(placeId))
}

/**
 * The places of a workspace, known or deleted, in which something is typed that can be copied. `except`: places left out before what is typed
 * in them is read, which can be megabytes at every key.
 */
export const typedPlaces = (workspaceId: string, except: ReadonlySet<string> = new Set()): readonly string[] =>
  [...(places.get(workspaceId) ?? [])].filter((placeId) => !except.has(placeId) && draftsOf(placeId).typed !== '')

/** Drops what is typed in a place, also where it is kept. */
export const discardDrafts = async (bridge: Bridge, workspaceId: string, placeId: string): Promise<Result<unknown>> => {
  const result = await keepAsOwn(bridge, workspaceId, placeId, null)
  if (result.ok) draftsOf(placeId).clear()
  return result
}

/** Keeps what is typed in a place in one draft, in place of those that this page has adopted. */
const keepAsOwn = async (bridge: Bridge, workspaceId: string, placeId: string, draft: string | null): Promise<Result<unknown>> => {
  const included = adopted.get(placeId) ?? []
  const result = await bridge.command('drafts.keep', { workspaceId, placeId: keptAt(placeId), draft, adopted: included })
  if (result.ok) adopted.set(placeId, (adopted.get(placeId) ?? []).slice(included.length))
  return result
}

/** By place: sends its newest drafts, and resolves to why the application didn't keep them, or null. */
const keepers = new Map<string, () => Promise<AppError | null>>()

/**
 * Sends the drafts of a screen to the application, which keeps them sealed: they outlive the page. It goes on
 * after the screen is left, because saves under way end later.
 */
export const keepDrafts = (bridge: Bridge, workspaceId: string, placeId: string): void => {
  const drafts = draftsOf(placeId)
  adoptLeft(placeId)
  drafts.openWaitingEdit()
  if (keepers.has(placeId)) return
  addPlace(workspaceId, placeId)
  let kept: string | null = null
  let keeping: Promise<unknown> = Promise.resolve()
  let retry: ReturnType<typeof setTimeout> | undefined
  let wasTooLong = false
  const keep = async (): Promise<AppError | null> => {
    clearTimeout(retry)
    if (drafts.toJson() === kept && !adopted.get(placeId)?.length) return null
    // Before that, it could replace one that its user has not seen again.
    const read = await restoreDrafts(bridge, workspaceId)
    const draft = drafts.toJson()
    const result = read.ok ? await keepAsOwn(bridge, workspaceId, placeId, draft) : read
    if (result.ok) kept = draft
    const isTooLong = !result.ok && result.error.kind === 'invalid-input'
    if (isTooLong && !wasTooLong) toasts.say(tooLong.message, 'bad')
    wasTooLong = isTooLong
    if (isTooLong) return tooLong
    if (!result.ok) retry = setTimeout(() => void send(), retryMs)
    return result.ok ? null : result.error
  }
  // Sent at every key, but one at a time: text typed meanwhile goes with the next.
  const send = () => {
    const sent = keeping.then(keep)
    keeping = sent
    return sent
  }
  $effect.root(() => {
    $effect(() => {
      const draft = drafts.toJson()
      if (draft === null || draft.length < longDraft) return void send()
      const later = setTimeout(() => void send(), 1000)
      return () => clearTimeout(later)
    })
  })
  // A page that ends can wait neither for an answer nor for a pause in the typing. At pagehide no message would arrive.
  addEventListener('beforeunload', () => {
    const draft = drafts.toJson()
    if (wereRead.has(workspaceId) && draft !== kept) void keepAsOwn(bridge, workspaceId, placeId, draft)
  })
  keepers.set(placeId, async () => {
    await drafts.answered()
    return send()
  })
}

/** Locks Holdfast once saves are answered and the application has all unsaved typing; a toast says why if it doesn't lock. */
export const lock = async (bridge: Bridge): Promise<void> => {
  const refusals = await Promise.all([...keepers.values()].map((keep) => keep()))
  const refusal = refusals.find((error) => error !== null)
  const end = async () => toasts.sayFailure(await bridge.command('keys.lock', {}))
  if (!refusal) return end()
  toasts.say(`Not locked: unsaved text would be lost. ${refusal.message}`, 'bad', { name: 'Lock anyway', run: () => void end() })
}

const restored = new Map<string, Promise<Result<unknown>>>()

/** The workspaces whose drafts this page has received. */
const wereRead = new Set<string>()

/**
 * Restores the drafts that the application kept of a workspace, once: those of this page, and of pages that are no longer open. Offers those of
 * pages that are closed later. If they can't be read yet, answers why, and tries again when the keys or the connection have changed.
 */
export const restoreDrafts = (bridge: Bridge, workspaceId: string): Promise<Result<unknown>> => {
  const before = restored.get(workspaceId)
  if (before !== undefined) return before
  const reading = bridge.command('drafts.take', { workspaceId, page: pageId }).then((taken) => {
    if (taken.ok) {
      wereRead.add(workspaceId)
      // Its own come first, so that this page shows again what it showed.
      const own = taken.value.filter(isOwn)
      for (const placeId of receive(workspaceId, [...own, ...taken.value.filter((one) => !isOwn(one))])) adoptLeft(placeId)
      bridge.onPush(({ tables }) => {
        if (tables.includes('drafts')) whenSeen(() => void offerLeft(bridge, workspaceId))
      })
    } else {
      const stop = bridge.onPush(({ tables }) => {
        if (!tables.includes('app')) return
        stop()
        restored.delete(workspaceId)
        void restoreDrafts(bridge, workspaceId)
      })
    }
    return taken
  })
  restored.set(workspaceId, reading)
  return reading
}

interface KeptDraft {
  placeId: string
  draft: string
}

/** By place: the drafts that this page has received, and not adopted yet. */
const left = new Map<string, KeptDraft[]>()

/** Where the drafts are kept that this page has received. */
const received = new Set<string>()

/** Earlier versions of Holdfast named no page. */
const placeOf = ({ placeId }: KeptDraft): string => placeId.replace(/\/.*/, '')

const isOwn = (one: KeptDraft): boolean => one.placeId === keptAt(placeOf(one))

/** Returns the places in which there was a draft that this page did not have before. */
function receive(workspaceId: string, drafts: readonly KeptDraft[]): ReadonlySet<string> {
  const fresh = drafts.filter(({ placeId }) => !received.has(placeId))
  for (const one of fresh) {
    received.add(one.placeId)
    const placeId = placeOf(one)
    addPlace(workspaceId, placeId)
    left.set(placeId, [...(left.get(placeId) ?? []), one])
  }
  return new Set(fresh.map(placeOf))
}

/** Adopts the drafts of a place that this page has received. What has no room stays for the next time, or the next page. */
function adoptLeft(placeId: string): void {
  const stays = (left.get(placeId) ?? []).filter((one) => {
    if (!draftsOf(placeId).adopt(one.draft)) return true
    if (!isOwn(one)) adopted.set(placeId, [...(adopted.get(placeId) ?? []), one.placeId])
    return false
  })
  left.set(placeId, stays)
}

/** Takes over what was typed in pages that were closed meanwhile. A dialog or editor that opened by itself would get keys meant for another. */
async function offerLeft(bridge: Bridge, workspaceId: string): Promise<void> {
  const taken = await bridge.command('drafts.take', { workspaceId, page: pageId })
  const places = taken.ok
    ? receive(
        workspaceId,
        taken.value.filter((one) => !isOwn(one)),
      )
    : new Set<string>()
  if (places.size > 0)
    toasts.say('Found unsaved text from a closed tab', 'plain', { name: 'Restore', run: () => places.forEach(adoptLeft) })
}

/** Runs `work` once the page is on screen: of several tabs, the one that its user sees takes the drafts of a closed one. */
function whenSeen(work: () => void): void {
  if (!document.hidden) return work()
  document.addEventListener('visibilitychange', () => whenSeen(work), { once: true })
}
