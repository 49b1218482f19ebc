import { createHash } from 'node:crypto'
import type { ClipboardPort } from '../app-deps.ts'

/** Returns the SHA-256 of a text on a clipboard, in hex. CR LF counts as LF, because some systems change line ends. */
export const clipboardDigest = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n'), 'utf8').digest('hex')

/** Clears a copied value from the computer's clipboard. It keeps only the SHA-256 of the value. */
export interface ClipboardWatch {
  /** Watches a copied text by its digest and clears it after `seconds`. A text watched before stays on the clipboard. */
  hold(digest: string, seconds: number): void
  /**
   * Copies a value, asks clipboard histories to leave it out, and watches it like `hold` (0 seconds: not at all). False: the system can't do
   * that, and nothing was copied. Never rejects.
   */
  copy(text: string, seconds: number): Promise<boolean>
  /** Clears the watched text now, if the clipboard still has it. Never rejects. */
  release(): Promise<void>
}

/** `failed`: called, without the content, when the clipboard refuses. */
export function watchClipboard(clipboard: ClipboardPort, failed: () => void): ClipboardWatch {
  let held: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  /** The latest copy. What it has put on the clipboard is watched once it has ended. */
  let copying: Promise<unknown> = Promise.resolve()

  const hold = (digest: string, seconds: number): void => {
    clearTimeout(timer)
    held = digest
    timer = setTimeout(() => void release(), seconds * 1000)
    timer.unref()
  }
  const copy = async (text: string, seconds: number): Promise<boolean> => {
    try {
      const isCopied = await clipboard.writeConfidential(text)
      if (isCopied && seconds > 0) hold(clipboardDigest(text), seconds)
      return isCopied
    } catch {
      failed()
      return false
    }
  }
  const release = async (): Promise<void> => {
    await copying
    const digest = held
    clearTimeout(timer)
    held = null
    if (digest === null) return
    try {
      if (clipboardDigest(await clipboard.readText()) === digest) clipboard.clear()
    } catch {
      failed()
    }
  }
  return {
    hold,
    copy(text, seconds) {
      const done = copy(text, seconds)
      copying = done
      return done
    },
    release,
  }
}
