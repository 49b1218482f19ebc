import { settings } from './settings.svelte.ts'

/** A window's access to the clipboard; tests bring their own. */
export interface ClipboardAccess {
  readText(): Promise<string>
  /** Writes a text as soon as it is there. The browser checks at the call whether a key or click asked for it. */
  write(text: Promise<string>): Promise<void>
  /** Whether reading is allowed without asking the user now. */
  mayRead(): Promise<boolean>
}

/** Watches the clipboard of the computer in place of the window, wherever the window is. */
export interface ClipboardKeeper {
  /** Clears what the window copied. False: it cannot. `digest`: SHA-256, hex. */
  hold(digest: string, seconds: number): Promise<boolean>
  release(): Promise<void>
  /** Copies a value, which clipboard histories leave out, and clears it after `seconds`, 0: never. False: it cannot. */
  copy(text: string, seconds: number): Promise<boolean>
}

/** The SHA-256 of a text with every line ended by LF, in hex. */
const digestOf = async (text: string): Promise<string> => {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text.replaceAll('\r\n', '\n')))
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const ofWindow: ClipboardAccess = {
  readText: () => navigator.clipboard.readText(),
  async write(text) {
    // Safari refuses a text that comes later by itself, Firefox before 127 has no items.
    if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text)
    const blob = text.then((known) => new Blob([known], { type: 'text/plain' }))
    blob.catch(() => undefined)
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])
  },
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
 * The value that was copied last, which is cleared from the clipboard after a while if it is still there. The application clears it where it
 * can reach the clipboard, else the window. A window that may not read the clipboard clears it only if it has had the focus ever since, and
 * nothing else was copied in it.
 */
export class CopiedValue {
  readonly #clipboard: ClipboardAccess
  #text: string | null = null
  #sure = true
  #timer: ReturnType<typeof setTimeout> | undefined
  #keeper: ClipboardKeeper | null = null
  /** The application clears the value. */
  #isKept = false

  constructor(clipboard: ClipboardAccess = ofWindow) {
    this.#clipboard = clipboard
  }

  /** Sets the watcher of the clipboard for this window, if its application can reach the clipboard. */
  keepBy(keeper: ClipboardKeeper): void {
    this.#keeper = keeper
  }

  /**
   * Copies a value, which is cleared after `seconds`, 0: never. The application copies it where it can keep it out of clipboard histories.
   * Resolves once the application has taken it over, or has answered that it can’t; `isAlwaysCleared`: also if the window loses the focus.
   * Rejects when the clipboard refuses, or the text does.
   */
  async copy(text: Promise<string>, seconds: number): Promise<{ isAlwaysCleared: boolean }> {
    const isKept = this.#keeper !== null && (await this.#keeper.copy(await text, seconds))
    if (!isKept) await this.#clipboard.write(text)
    this.forget()
    this.#isKept = isKept && seconds > 0
    if (!isKept && seconds > 0) await this.#hold(await text, seconds)
    return { isAlwaysCleared: this.#isKept || (await this.#clipboard.mayRead()) }
  }

  async #hold(text: string, seconds: number): Promise<void> {
    this.#text = text
    this.#sure = true
    this.#timer = setTimeout(() => void this.clear(), seconds * 1000)
    await this.#handOver(text, seconds)
  }

  /** Something else was copied: there is nothing to clear any more. */
  forget(): void {
    clearTimeout(this.#timer)
    this.#text = null
    this.#isKept = false
  }

  async #handOver(text: string, seconds: number): Promise<void> {
    if (this.#keeper === null) return
    // A window without its application clears the value itself.
    const isKept = await this.#keeper.hold(await digestOf(text), seconds).catch(() => false)
    if (!isKept || this.#text !== text) return
    this.forget()
    this.#isKept = true
  }

  /** The window lost the focus: another program may have copied something else. */
  left(): void {
    this.#sure = false
  }

  /**
   * Clears the value from the clipboard now if it is still there. A window without focus can't, and some browsers allow it only in a key or
   * click, so it is tried again at the next one.
   */
  async clear(): Promise<void> {
    if (this.#isKept) {
      this.#isKept = false
      await this.#keeper?.release()
    }
    const text = this.#text
    if (text === null) return
    clearTimeout(this.#timer)
    try {
      if (await this.#clipboard.mayRead()) {
        if ((await this.#clipboard.readText()) === text) await this.#empty()
      } else if (this.#sure) await this.#empty()
      if (this.#text === text) this.#text = null
    } catch {
      const off = new AbortController()
      const again = () => {
        off.abort()
        void this.clear()
      }
      for (const event of ['focus', 'keydown', 'pointerup']) addEventListener(event, again, { capture: true, signal: off.signal })
    }
  }

  #empty(): Promise<void> {
    return this.#clipboard.write(Promise.resolve(''))
  }

  /** The window is closing: clears it without checking or waiting. */
  clearBlindly(): void {
    if (this.#text === null || !this.#sure) return
    this.#text = null
    this.#empty().catch(() => undefined)
  }
}

/** The value last copied in this window. */
export const copiedValue = new CopiedValue()

/** Follows the window's events for `copiedValue`; returns a function that stops it. */
export const watchCopiedValue = (): (() => void) => {
  const off = new AbortController()
  const { signal } = off
  addEventListener('blur', () => copiedValue.left(), { signal })
  addEventListener('copy', () => copiedValue.forget(), { signal })
  addEventListener('cut', () => copiedValue.forget(), { signal })
  addEventListener('pagehide', () => copiedValue.clearBlindly(), { signal })
  return () => off.abort()
}

/** Seconds until a value copied now is cleared; 0: never. */
export const clearAfterSeconds = (): number => settings.row.clipboardClearSeconds
