import { settings } from './settings.svelte.ts'

/** What a window can do with a clipboard, so that tests bring their own. */
export interface ClipboardAccess {
  readText(): Promise<string>
  writeText(text: string): Promise<void>
  /** Whether reading is allowed without asking the user now. */
  mayRead(): Promise<boolean>
}

const ofWindow: ClipboardAccess = {
  readText: () => navigator.clipboard.readText(),
  writeText: (text) => navigator.clipboard.writeText(text),
  async mayRead() {
    try {
      // TypeScript's list of permission names has no clipboard; browsers do (Clipboard API, 6.1).
      const status = await navigator.permissions.query({ name: 'clipboard-read' as PermissionName })
      return status.state === 'granted'
    } catch {
      return false
    }
  },
}

/**
 * A value on its way through the clipboard. It is taken off again after a while, if it is still there: where the window may
 * read the clipboard it looks, elsewhere it is sure only while the window never lost the focus and nothing else was copied in it.
 */
export class CopiedValue {
  readonly #clipboard: ClipboardAccess
  #text: string | null = null
  #sure = true
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(clipboard: ClipboardAccess = ofWindow) {
    this.#clipboard = clipboard
  }

  /** `text` was copied; it goes after `seconds`, 0 for never. */
  hold(text: string, seconds: number): void {
    this.forget()
    if (seconds === 0) return
    this.#text = text
    this.#sure = true
    this.#timer = setTimeout(() => void this.clear(), seconds * 1000)
  }

  /** Something else was copied: there is nothing to take off any more. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#text = null
  }

  /** The window lost the focus: somebody may have copied something else elsewhere. */
  left(): void {
    this.#sure = false
  }

  get holds(): boolean {
    return this.#text !== null
  }

  /** Takes the value off the clipboard now if it is still there. A clipboard takes nothing from a window without focus: then at the next focus. */
  async clear(): Promise<void> {
    const text = this.#text
    if (text === null) return
    clearTimeout(this.#timer)
    try {
      if (await this.#clipboard.mayRead()) {
        if ((await this.#clipboard.readText()) === text) await this.#clipboard.writeText('')
      } else if (this.#sure) await this.#clipboard.writeText('')
      if (this.#text === text) this.#text = null
    } catch {
      addEventListener('focus', () => void this.clear(), { once: true })
    }
  }

  /** The window goes away: the last moment to try, without looking or waiting. */
  clearBlindly(): void {
    if (this.#text === null || !this.#sure) return
    this.#text = null
    this.#clipboard.writeText('').catch(() => undefined)
  }
}

/** The value last copied in this window. */
export const copiedValue = new CopiedValue()

/** Follows what happens to the window for the sake of `copiedValue`; returns the end of it. */
export const watchCopiedValue = (): (() => void) => {
  const off = new AbortController()
  const { signal } = off
  addEventListener('blur', () => copiedValue.left(), { signal })
  addEventListener('copy', () => copiedValue.forget(), { signal })
  addEventListener('cut', () => copiedValue.forget(), { signal })
  addEventListener('pagehide', () => copiedValue.clearBlindly(), { signal })
  return () => off.abort()
}

/** Seconds until a value copied now is taken off again; 0: never. */
export const clearAfterSeconds = (): number => settings.row.clipboardClearSeconds
