import type { Bridge } from '../../electron/bridge/bridge.ts'
import { toasts } from './toasts.svelte.ts'

/**
 * Saves `text` as a file where the user says, readable by this user alone. In a browser it is a download, which other users of the computer
 * can read: the toast says so. `saved`: the text of the toast. False: the user cancelled, or it failed.
 */
export const saveFile = async (bridge: Bridge, text: string, name: string, saved: string): Promise<boolean> => {
  const result = await bridge.command('file.save', { name, text })
  if (result.ok) {
    if (result.value.saved) toasts.say(saved)
    return result.value.saved
  }
  if (result.error.kind !== 'unsupported') {
    toasts.say(result.error.message, 'bad')
    return false
  }
  download(text, name)
  toasts.say(`${saved} Your browser saved it: on a shared computer, check who can read it.`)
  return true
}

const download = (text: string, name: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has taken the text by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
