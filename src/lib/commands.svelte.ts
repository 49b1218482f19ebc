import { untrack } from 'svelte'
import { matchesChord, chordText } from '../domain/chord.ts'
import { commandIds, commandInfo, type CommandId } from '../domain/commands.ts'
import { isCovered } from './is-covered.ts'
import { isTypingIn } from './is-typing-in.ts'

/** The actions that the shown screens offer now, by command. */
export type CommandRuns = Partial<Record<CommandId, () => void>>

/** The commands that can be run now. A screen offers its commands while it is mounted; of two that offer the same one, the later wins. */
class Commands {
  /**
   * No state of Svelte's: an effect that is taken down sees state as it was before the change that takes it down, and would
   * take away what the next screen has offered in the meantime.
   */
  #offers: readonly CommandRuns[] = []
  #changed = $state.raw({})
  /** What the last key asked for that came before the screen it is meant for; null while no screen is on its way. */
  #early: readonly CommandId[] | null = null

  /** Adds commands until the returned function is called. */
  offer(runs: CommandRuns): () => void {
    this.#set([...this.#offers, runs])
    return () => this.#set(this.#offers.filter((other) => other !== runs))
  }

  #set(offers: readonly CommandRuns[]): void {
    this.#offers = offers
    this.#changed = {}
  }

  /** Commands that can be run now, in the order they are shown. */
  get available(): CommandId[] {
    return commandIds.filter((id) => this.#find(id) !== undefined)
  }

  /** Runs a command; false when no screen offers it. */
  run(id: CommandId): boolean {
    const run = this.#find(id)
    run?.()
    return run !== undefined
  }

  /** Runs the command whose keys were pressed, unless the keys belong to somebody else. */
  press(event: KeyboardEvent): void {
    if (event.defaultPrevented || event.isComposing || isCovered()) return
    const typing = isTypingIn(event.target)
    const asked = commandIds.filter((one) => {
      const { keys, chords } = commandInfo(one)
      if (keys === 'place' || (typing && keys === 'window' && !event.ctrlKey && !event.metaKey)) return false
      return chords.some((chord) => matchesChord(chord, event))
    })
    const id = asked.find((one) => this.#find(one) !== undefined)
    if (this.#early !== null) this.#early = id === undefined ? asked : []
    if (id === undefined && (this.#early === null || asked.length === 0)) return
    event.preventDefault()
    if (id !== undefined) this.run(id)
  }

  /** A screen is on its way: the key of a command that nobody offers is kept for it. */
  keepEarly(): void {
    this.#early ??= []
  }

  /** The screen has come: runs what the last key asked for meanwhile, if it is offered now. */
  runEarly(): void {
    const asked = this.#early ?? []
    this.#early = null
    const id = asked.find((one) => this.#find(one) !== undefined)
    if (id !== undefined && !isCovered()) this.run(id)
  }

  /** The screen comes no more. */
  forgetEarly(): void {
    this.#early = null
  }

  #find(id: CommandId): (() => void) | undefined {
    void this.#changed
    return this.#offers.findLast((runs) => runs[id] !== undefined)?.[id]
  }
}

export const commands = new Commands()

/** Offers commands while the calling component is mounted. `runs` is tracked: a command it omits is not offered. */
export const offerCommands = (runs: () => CommandRuns): void => {
  $effect(() => {
    const now = runs()
    return untrack(() => commands.offer(now))
  })
}

/**
 * Keeps a key for the calling component while `isLoading` (tracked) is true, and runs its command afterwards: whoever knows the keys types them faster
 * than a screen loads on a busy machine. Call it after `offerCommands` and after the effect that places the focus. Only the last key counts.
 */
export const keepKeysWhile = (isLoading: () => boolean): void => {
  $effect(() => {
    const loading = isLoading()
    untrack(() => (loading ? commands.keepEarly() : commands.runEarly()))
  })
  $effect(() => () => commands.forgetEarly())
}

/** The command among these whose keys were pressed. The caller checks for typing and for dialogs on top. */
export const commandOf = <Id extends CommandId>(event: KeyboardEvent, ids: readonly Id[]): Id | undefined =>
  ids.find((id) => commandInfo(id).chords.some((chord) => matchesChord(chord, event)))

const mac = navigator.userAgent.includes('Mac')

/** The keys of a command as menus and hints show them; empty without keys. */
export const keysOf = (id: CommandId): string => {
  const chord = commandInfo(id).chords[0]
  return chord === undefined ? '' : chordText(chord, mac)
}

/** All keys of a command, as they are shown. */
export const allKeysOf = (id: CommandId): string[] => commandInfo(id).chords.map((chord) => chordText(chord, mac))
