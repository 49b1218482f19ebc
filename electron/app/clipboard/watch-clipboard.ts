import { createHash } from 'node:crypto'
import type { ClipboardPort } from '../app-deps.ts'

/** The fingerprint of a text on a clipboard, hex. Some systems keep lines ended by CR LF there. */
export const clipboardDigest = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n'), 'utf8').digest('hex')

/** Takes a copied value off the clipboard of the computer again. It knows the value by its SHA-256 only. */
export interface ClipboardWatch {
  /** Watches a copied text by its digest and clears it after `seconds`. A text watched before stays on the clipboard. */
  hold(digest: string, seconds: number): void
  /** Puts a value there that clipboard histories leave out; false: it could not, and nothing was written. Never rejects. */
  copy(text: string): Promise<boolean>
  /** Takes it off now, if it is still there. Never rejects. */
  release(): Promise<void>
}

/** `failed` hears when the clipboard refused; nothing of what is on it. */
export function watchClipboard(clipboard: ClipboardPort, failed: () => void): ClipboardWatch {
  let held: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  const release = async (): Promise<void> => {
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
    hold(digest, seconds) {
      clearTimeout(timer)
      held = digest
      timer = setTimeout(() => void release(), seconds * 1000)
      timer.unref()
    },
    async copy(text) {
      try {
        return await clipboard.writeConfidential(text)
      } catch {
        failed()
        return false
      }
    },
    release,
  }
}
