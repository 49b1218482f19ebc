import { clearAfterSeconds, copiedValue } from './copied-value.ts'
import { toasts } from './toasts.svelte.ts'

const put = async (write: () => Promise<void>): Promise<boolean> => {
  try {
    await write()
    return true
  } catch {
    toasts.say('The clipboard refused. Allow clipboard access for this window, then copy again.', 'bad')
    return false
  }
}

/** Puts a value on the clipboard, from which it is taken off again by the settings, and says so, naming it `what`. */
export const copyText = async (text: string, what: string): Promise<void> => {
  if (!(await put(() => copiedValue.copy(text)))) return
  const seconds = clearAfterSeconds()
  copiedValue.hold(text, seconds)
  toasts.say(seconds === 0 ? `Copied ${what}` : `Copied ${what}, for ${seconds.toLocaleString('en-US')} s`)
}

/** Puts a text on the clipboard that is no value, and stays there. */
export const copyPlainText = async (text: string, what: string): Promise<void> => {
  if (!(await put(() => navigator.clipboard.writeText(text)))) return
  copiedValue.forget()
  toasts.say(`Copied ${what}`)
}
