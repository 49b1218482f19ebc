import { tick } from 'svelte'
import { isCovered } from './is-covered.ts'
import { isTypingIn } from './is-typing-in.ts'

/** Keys pressed while a field is being opened, in order; null while none is. */
let kept: KeyboardEvent[] | null = null
/** How many fields are being opened. */
let opening = 0
/** Counts the fields asked for: the keys are meant for the newest. */
let turns = 0

/**
 * Opens a field by something slow. Keys pressed meanwhile are meant for it, and not for the table that has the focus until then: they are kept, and
 * pressed again once the field has the focus. `open` says whether it opened one; if not, they are dropped, unless another field was asked for since.
 */
export const keepKeysForField = async (open: () => Promise<boolean>): Promise<boolean> => {
  if (kept === null) {
    kept = []
    addEventListener('keydown', keep, { capture: true })
  }
  const keys = kept
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

const keep = (event: KeyboardEvent): void => {
  // Chords and F keys are commands whatever has the focus; a key that is pressed again here has its way.
  const isText = !event.ctrlKey && !event.metaKey && !event.altKey && !/^F\d+$/.test(event.key)
  if (!event.isTrusted || event.isComposing || !isText || isCovered()) return
  event.preventDefault()
  event.stopImmediatePropagation()
  kept?.push(event)
}

/** Presses the kept keys again, as long as none of them opens the next field: the others are then kept for that one. */
const release = async (keys: KeyboardEvent[]): Promise<void> => {
  // What a key has changed is drawn before the next one.
  for (await tick(); opening === 0; await tick()) {
    const key = keys.shift()
    if (key === undefined) break
    if (!press(key)) keys.length = 0
  }
  if (opening > 0) return
  kept = null
  removeEventListener('keydown', keep, { capture: true })
}

/** Presses a key where the focus is. False when a field would have done something with it that no script can: what follows would be typed into a wrong text. */
const press = (event: KeyboardEvent): boolean => {
  const target = document.activeElement ?? document.body
  if (!target.dispatchEvent(new KeyboardEvent('keydown', event)) || document.activeElement !== target) return true
  if (event.key === ' ' && target instanceof HTMLButtonElement) target.click()
  if (!isTypingIn(target) || event.key === 'Shift') return true
  if (event.key.length === 1) return document.execCommand('insertText', false, event.key)
  return event.key === 'Backspace' && document.execCommand('delete')
}
