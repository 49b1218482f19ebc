import { counted } from '../domain/counted.ts'
import { clearAfterSeconds, copiedValue } from './copied-value.ts'
import { toasts, type ToastAction } from './toasts.svelte.ts'

/** A value to copy. `what` names it, `action` is offered once it is copied. */
export interface Copy {
  text: string
  what: string
  action?: ToastAction
}

const refused = 'Couldn’t copy. Allow clipboard access for this window, then try again.'

const timeWords = (seconds: number): string => (seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second'))

/**
 * Copies a value to the clipboard as soon as it has been read, and says so; the clipboard is cleared after the time in the settings. Call it
 * before the handler of the key or click awaits anything: browsers refuse a copy that begins later. `reading` resolves to null if there is no
 * value; then it has told the user why.
 */
export const copyRead = async (reading: Promise<Copy | null>): Promise<void> => {
  const seconds = clearAfterSeconds()
  const text = reading.then((copy) => copy?.text ?? Promise.reject(new Error('There is nothing to copy.')))
  const copied = await copiedValue.copy(text, seconds).catch(() => null)
  const copy = await reading
  if (copy === null) return
  if (copied === null) return toasts.say(refused, 'bad')
  const clears = `. Clears in ${timeWords(seconds)}${copied.isAlwaysCleared ? '' : ' unless you leave this tab'}`
  toasts.say(`Copied ${copy.what}${seconds === 0 ? '' : clears}`, 'plain', copy.action ?? null)
}

/** The same for a value that is known already. */
export const copyText = (text: string, what: string): Promise<void> => copyRead(Promise.resolve({ text, what }))

/** Copies a text that is not a value, and is never cleared. */
export const copyPlainText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    return toasts.say(refused, 'bad')
  }
  copiedValue.forget()
  toasts.say(`Copied ${what}`)
}
