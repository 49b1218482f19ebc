import { toasts } from './toasts.svelte.ts'

/** Puts `text` on the clipboard and says so, naming it `what`. */
export const copyText = async (text: string, what: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(text)
    toasts.say(`Copied ${what}`)
  } catch {
    toasts.say('The clipboard refused. Allow clipboard access for this window, then copy again.', 'bad')
  }
}
