import { tick } from 'svelte'
import { latinKey } from '../domain/latin-key.ts'
import { isCovered } from './is-covered.ts'
import { isTypingIn } from './is-typing-in.ts'
import { isMac } from './is-mac.ts'
import { pasteAt, pastedText } from './pasted-text.ts'

/** Keys pressed and texts pasted while fields are being opened, in order, and how many of these fields there are. */
interface Waiting {
  keys: (KeyboardEvent | string)[]
  opening: number
}

/** Null while no field is being opened that its user still waits for. */
let waiting: Waiting | null = null
/** Counts the fields asked for: the keys are meant for the newest. */
let turns = 0

/**
 * Opens a field by something slow. Keys pressed and texts pasted meanwhile are meant for the field, not for the table that still has the
 * focus: they are kept, and repeated once the field has the focus. `open` returns whether it opened one; if not, they are dropped, unless
 * another field was requested since. They are also dropped when the user goes to another part of the window; `open` can ask whether the
 * user still waits. `first`: a key that was pressed already, and is repeated before them.
 */
export const keepKeysForField = async (open: (isAwaited: () => boolean) => Promise<boolean>, first?: KeyboardEvent): Promise<boolean> => {
  const mine = (waiting ??= begin())
  // A kept key that has to wait in its turn stays before those that were pressed after it.
  if (first !== undefined) mine.keys.unshift(first)
  const turn = ++turns
  let isOpen = false
  mine.opening += 1
  try {
    isOpen = await open(() => waiting === mine)
  } finally {
    mine.opening -= 1
    if (!isOpen && turn === turns) mine.keys.length = 0
    if (mine.opening === 0) await release(mine)
  }
  return isOpen
}

const begin = (): Waiting => {
  addEventListener('keydown', keep, { capture: true })
  addEventListener('paste', keepPasted, { capture: true })
  addEventListener('focusin', leave, { capture: true })
  return { keys: [], opening: 0 }
}

const end = (): void => {
  waiting = null
  removeEventListener('keydown', keep, { capture: true })
  removeEventListener('paste', keepPasted, { capture: true })
  removeEventListener('focusin', leave, { capture: true })
}

/** Stops waiting when the focus goes to the sidebar, a dialog or the palette: keys are from now on for that. */
const leave = ({ target }: FocusEvent): void => {
  if (waiting === null || !(target instanceof Element) || target.closest('main') !== null) return
  waiting.keys.length = 0
  end()
}

/** The chords of a text field whose effect a script can have too. */
const fieldChords: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', y: 'redo' }

/** Whether a key types a character with AltGr, which Windows reports as Ctrl and Alt, or with Option on a Mac. */
const isThirdLevel = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && (event.getModifierState('AltGraph') || (isMac && event.altKey && !event.ctrlKey && !event.metaKey))

const isChord = (event: KeyboardEvent): boolean => (event.ctrlKey || event.metaKey || event.altKey) && !isThirdLevel(event)

/** Whether a text field handles the key. F keys and most chords are commands whatever has the focus. */
const isForField = (event: KeyboardEvent): boolean => {
  if (!isChord(event)) return !/^F\d+$/.test(event.key)
  const key = latinKey(event).toLowerCase()
  return !event.altKey && (key in fieldChords || key === 's')
}

const keep = (event: KeyboardEvent): void => {
  // A key that is being repeated here passes.
  if (!event.isTrusted || event.isComposing || !isForField(event) || isCovered()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  waiting?.keys.push(event)
}

const keepPasted = (event: ClipboardEvent): void => {
  if (!event.isTrusted || isCovered()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  waiting?.keys.push(pastedText(event))
}

/** Whether the focus is in a field: keys meant for one would be commands anywhere else. */
const isInField = (): boolean => isTypingIn(document.activeElement) || document.activeElement?.matches('[role="switch"]') === true

/** Repeats the kept keys. If one of them opens another field, the rest wait for that one. */
const release = async (mine: Waiting): Promise<void> => {
  await tick()
  if (!isInField()) mine.keys.length = 0
  // Draws the effect of each key before the next one.
  for (; mine.opening === 0; await tick()) {
    const key = mine.keys.shift()
    if (key === undefined) break
    if (!(typeof key === 'string' ? put(key) : press(key))) mine.keys.length = 0
  }
  if (mine.opening === 0 && waiting === mine) end()
}

/** Pastes a text where the focus is. */
const put = (text: string): boolean => {
  const target = document.activeElement
  if (target === null || !isTypingIn(target)) return false
  return pasteAt(target, text) || document.execCommand('insertText', false, text)
}

/** Presses a key where the focus is. False if no script can do what the field would have done: the next keys would edit a wrong text. */
const press = (event: KeyboardEvent): boolean => {
  const target = document.activeElement ?? document.body
  if (!target.dispatchEvent(new KeyboardEvent('keydown', event)) || document.activeElement !== target) return true
  if (event.key === ' ' && target instanceof HTMLButtonElement) target.click()
  if (!isTypingIn(target) || /^(Shift|Control|Meta)$/.test(event.key)) return true
  if (isChord(event)) {
    const key = latinKey(event).toLowerCase()
    return document.execCommand(key === 'z' && event.shiftKey ? 'redo' : (fieldChords[key] ?? ''))
  }
  if (event.key.length === 1) return document.execCommand('insertText', false, event.key)
  return event.key === 'Backspace' && document.execCommand('delete')
}
