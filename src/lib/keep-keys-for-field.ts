import { tick } from 'svelte'
import { isCovered } from './is-covered.ts'
import { isTypingIn } from './is-typing-in.ts'
import { pastedText } from './pasted-text.ts'

/** Keys pressed and texts pasted while a field is being opened, in order; null while none is. */
let kept: (KeyboardEvent | string)[] | null = null
/** How many fields are being opened. */
let opening = 0
/** Counts the fields asked for: the keys are meant for the newest. */
let turns = 0

/**
 * Opens a field by something slow. Keys pressed and texts pasted meanwhile are meant for it, and not for the table that has the focus until then:
 * they are kept, and repeated once the field has the focus. `open` says whether it opened one; if not, they are dropped, unless another field was
 * asked for since. `first`: the key that has to wait for it, too.
 */
export const keepKeysForField = async (open: () => Promise<boolean>, first?: KeyboardEvent): Promise<boolean> => {
  if (kept === null) {
    kept = []
    addEventListener('keydown', keep, { capture: true })
    addEventListener('paste', keepPasted, { capture: true })
  }
  const keys = kept
  // A kept key that has to wait in its turn stays before those that were pressed after it.
  if (first !== undefined) keys.unshift(first)
  const turn = ++turns
  let isOpen = false
  opening += 1
  try {
    isOpen = await open()
  } finally {
    opening -= 1
    if (!isOpen && turn === turns) keys.length = 0
    if (opening === 0) await release(keys)
  }
  return isOpen
}

/** The chords of a text field whose effect a script can have too. */
const fieldChords: Readonly<Record<string, string>> = { a: 'selectAll', c: 'copy', x: 'cut', z: 'undo', y: 'redo' }

const isMac = navigator.userAgent.includes('Mac')

/** Whether a key types a character with AltGr, which Windows reports as Ctrl and Alt, or with Option on a Mac. */
const isThirdLevel = (event: KeyboardEvent): boolean =>
  event.key.length === 1 && (event.getModifierState('AltGraph') || (isMac && event.altKey && !event.ctrlKey && !event.metaKey))

const isChord = (event: KeyboardEvent): boolean => (event.ctrlKey || event.metaKey || event.altKey) && !isThirdLevel(event)

/** Whether a text field handles the key. F keys and most chords are commands whatever has the focus. */
const isForField = (event: KeyboardEvent): boolean => {
  if (!isChord(event)) return !/^F\d+$/.test(event.key)
  const key = event.key.toLowerCase()
  return !event.altKey && (key in fieldChords || key === 's')
}

const keep = (event: KeyboardEvent): void => {
  // A key that is being repeated here passes.
  if (!event.isTrusted || event.isComposing || !isForField(event) || isCovered()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept?.push(event)
}

const keepPasted = (event: ClipboardEvent): void => {
  if (!event.isTrusted || isCovered()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept?.push(pastedText(event))
}

/** Repeats what was kept, as long as none of them opens the next field: the others are then kept for that one. */
const release = async (keys: (KeyboardEvent | string)[]): Promise<void> => {
  // What a key has changed is drawn before the next one.
  for (await tick(); opening === 0; await tick()) {
    const key = keys.shift()
    if (key === undefined) break
    if (!(typeof key === 'string' ? put(key) : press(key))) keys.length = 0
  }
  if (opening > 0) return
  kept = null
  removeEventListener('keydown', keep, { capture: true })
  removeEventListener('paste', keepPasted, { capture: true })
}

/** Pastes a text where the focus is. */
const put = (text: string): boolean => {
  const target = document.activeElement
  if (target === null || !isTypingIn(target)) return false
  const clipboardData = new DataTransfer()
  clipboardData.setData('text/plain', text)
  const isLeft = target.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  return !isLeft || document.execCommand('insertText', false, text)
}

/** Presses a key where the focus is. False if no script can do what the field would have done: the next keys would edit a wrong text. */
const press = (event: KeyboardEvent): boolean => {
  const target = document.activeElement ?? document.body
  if (!target.dispatchEvent(new KeyboardEvent('keydown', event)) || document.activeElement !== target) return true
  if (event.key === ' ' && target instanceof HTMLButtonElement) target.click()
  if (!isTypingIn(target) || /^(Shift|Control|Meta)$/.test(event.key)) return true
  if (isChord(event)) {
    const key = event.key.toLowerCase()
    return document.execCommand(key === 'z' && event.shiftKey ? 'redo' : (fieldChords[key] ?? ''))
  }
  if (event.key.length === 1) return document.execCommand('insertText', false, event.key)
  return event.key === 'Backspace' && document.execCommand('delete')
}
