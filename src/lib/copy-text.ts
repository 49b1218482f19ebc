import { counted } from '../domain/counted.ts'
import { clearAfterSeconds, copiedValue } from './copied-value.ts'
import { toasts, type ToastAction } from './toasts.svelte.ts'

const put = async (write: () => Promise<void>): Promise<boolean> => {
  try {
    await write()
    return true
  } catch {
    toasts.say('Couldn’t copy. Allow clipboard access for this window, then try again.', 'bad')
    return false
  }
}

const timeWords = (seconds: number): string => (seconds % 60 === 0 ? counted(seconds / 60, 'minute') : counted(seconds, 'second'))

/** Copies a value to the clipboard, which is cleared after the time in the settings, and says so. `what` names the value. */
export const copyText = async (text: string, what: string, action: ToastAction | null = null): Promise<void> => {
  const seconds = clearAfterSeconds()
  if (!(await put(() => copiedValue.copy(text, seconds)))) return
  toasts.say(seconds === 0 ? `Copied ${what}` : `Copied ${what}. Clears in ${timeWords(seconds)}`, 'plain', action)
}

/** Copies a text that is not a value, and is never cleared. */
export const copyPlainText = async (text: string, what: string): Promise<void> => {
  if (!(await put(() => navigator.clipboard.writeText(text)))) return
  copiedValue.forget()
  toasts.say(`Copied ${what}`)
}
