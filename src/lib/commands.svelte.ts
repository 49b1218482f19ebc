import { tick, untrack } from 'svelte'
import { chordText } from '../domain/chord.ts'
import { commandIds, commandInfo, isKeyOf, type CommandId, type CommandInfo } from '../domain/commands.ts'
import { walkList } from '../domain/walk-list.ts'
import { access } from './access.svelte.ts'
import { isCovered } from './is-covered.ts'
import { isTypingIn } from './is-typing-in.ts'
import { isMac } from './is-mac.ts'
import { pasteAt, pastedText } from './pasted-text.ts'

/** The actions that the shown screens offer now, by command. */
export type CommandRuns = Partial<Record<CommandId, () => void>>

/** The commands that can be run now. A screen offers its commands while it is mounted; of two that offer the same one, the later wins. */
class Commands {
  /**
   * Not Svelte state: an effect that is destroyed sees the state before the change that destroys it, and would remove the commands that the
   * next screen has offered in the meantime.
   */
  #offers: readonly CommandRuns[] = []
  #changed = $state.raw({})
  /** Keys pressed, and texts pasted, before the screen they are meant for has come, in order; null while no screen is on its way. */
  #early: (KeyboardEvent | Pasted)[] | null = null

  /** Adds commands until the returned function is called. */
  offer(runs: CommandRuns): () => void {
    this.#set([...this.#offers, runs])
    return () => this.#set(this.#offers.filter((other) => other !== runs))
  }

  #set(offers: readonly CommandRuns[]): void {
    this.#offers = offers
    this.#changed = {}
  }

  /** Commands that the user can and may run now, in the order they are shown. */
  get available(): CommandId[] {
    return commandIds.filter((id) => this.#find(id) !== undefined && access.may(commandInfo(id).needs))
  }

  /** Runs a command; false when no screen offers it. */
  run(id: CommandId): boolean {
    const run = this.#find(id)
    run?.()
    return run !== undefined
  }

  /**
   * Runs the command whose keys were pressed, whatever has the focus. Call it before anything else hears the key: an editor keeps its keys to
   * itself, and these must work in every one.
   */
  pressAnywhere(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing) return
    const isOpen = !isCovered()
    this.#take(event, ({ keys }) => keys === 'anywhere' || (isOpen && keys === 'typing'))
  }

  /** Runs the command whose keys were pressed, unless a dialog, menu or text field uses them. */
  press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || isCovered()) return
    const isText = isTypingIn(event.target) && !event.ctrlKey && !event.metaKey
    if (this.#take(event, ({ keys }) => keys === 'window' && !isText)) return
    if (this.#early === null || isText || !isForScreen(event)) return
    event.preventDefault()
    this.#early.push(event)
  }

  /** Keeps a text that is pasted for a screen that is on its way. */
  paste(event: ClipboardEvent): void {
    if (this.#early === null || event.defaultPrevented || isCovered() || isTypingIn(event.target)) return
    event.preventDefault()
    this.#early.push({ pasted: pastedText(event) })
  }

  #take(event: KeyboardEvent, isMeant: (info: CommandInfo) => boolean): boolean {
    const id = asked(event, isMeant).find((one) => this.#find(one) !== undefined)
    if (id === undefined) return false
    event.preventDefault()
    if (this.#early !== null) this.#early = []
    return this.run(id)
  }

  /** A screen is loading: keys that nothing handles now are kept for it. */
  keepEarly(): void {
    this.#early ??= []
  }

  get isKeeping(): boolean {
    return this.#early !== null
  }

  /**
   * The screen is shown and has the focus: presses the kept keys again, up to the first that does more than move in a list, or pastes. In a
   * text field, types the keys after that.
   */
  async runEarly(): Promise<void> {
    const kept = this.#early ?? []
    this.#early = null
    for (const key of kept) {
      // Draws the effects of the previous key first.
      await tick()
      const target = document.activeElement ?? document.body
      if (isCovered()) return
      if ('pasted' in key) return pasteInto(target, key.pasted)
      if (isTypingIn(target)) typeKey(key)
      else if (!target.dispatchEvent(new KeyboardEvent('keydown', key)) && !isStep(key)) {
        await tick()
        if (!isTypingIn(document.activeElement)) return
      }
    }
  }

  /** The screen will not be shown after all. */
  forgetEarly(): void {
    this.#early = null
  }

  #find(id: CommandId): (() => void) | undefined {
    void this.#changed
    return this.#offers.findLast((runs) => runs[id] !== undefined)?.[id]
  }
}

interface Pasted {
  pasted: string
}

export const commands = new Commands()

const asked = (event: KeyboardEvent, isMeant: (info: CommandInfo) => boolean = () => true): CommandId[] =>
  commandIds.filter((id) => isMeant(commandInfo(id)) && isKeyOf(id, event))

const isBare = ({ ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => !ctrlKey && !metaKey && !altKey

/** Whether a key goes to another row or cell. */
const isStep = (event: KeyboardEvent): boolean => !event.altKey && (walkList(0, event.key, 1, 1) !== null || event.key.startsWith('Arrow'))

/** Whether the focused element has no keys of its own yet: none is focused, or the table of a screen that is still loading. */
const isIdle = (target: EventTarget | null): boolean =>
  target === document.body || (target instanceof Element && target.matches('main :is([role="grid"], [role="group"])[tabindex="0"]'))

/** Whether a screen may handle a key; others belong to the system or the browser. A focused button keeps its own. */
const isForScreen = (event: KeyboardEvent): boolean =>
  asked(event, ({ keys }) => keys === 'window').length > 0 ||
  (isIdle(event.target) && (isStep(event) || (isBare(event) && (event.key.length === 1 || asked(event).length > 0))))

/** Types the character of a key into the field that has the focus: pressing a key by script types nothing. */
const typeKey = (event: KeyboardEvent): void => {
  if (isBare(event) && event.key.length === 1) document.execCommand('insertText', false, event.key)
}

/** Pastes a text where the focus is. */
const pasteInto = (target: Element, text: string): void => {
  if (isTypingIn(target)) document.execCommand('insertText', false, text)
  else pasteAt(target, text)
}

/** Offers commands while the calling component is mounted. `runs` is tracked: a command it omits is not offered. */
export const offerCommands = (runs: () => CommandRuns): void => {
  $effect(() => {
    const now = runs()
    return untrack(() => commands.offer(now))
  })
}

/**
 * Keeps keys for the calling component while `isLoading` (tracked) is true, and presses them afterwards: users who know the keys type faster
 * than a screen loads on a busy machine. Call it after `offerCommands` and after the effect that places the focus.
 */
export const keepKeysWhile = (isLoading: () => boolean): void => {
  $effect(() => {
    const loading = isLoading()
    untrack(() => (loading ? commands.keepEarly() : void commands.runEarly()))
  })
  $effect(() => () => commands.forgetEarly())
}

/** The command among these whose keys were pressed. The caller checks for typing and for dialogs on top. */
export const commandOf = <Id extends CommandId>(event: KeyboardEvent, ids: readonly Id[]): Id | undefined =>
  ids.find((id) => isKeyOf(id, event))

/** The keys of a command as menus and hints show them; empty without keys. */
export const keysOf = (id: CommandId): string => {
  const chord = commandInfo(id).chords[0]
  return chord === undefined ? '' : chordText(chord, isMac)
}

/** All keys of a command, as they are shown. */
export const allKeysOf = (id: CommandId): string[] => commandInfo(id).chords.map((chord) => chordText(chord, isMac))
