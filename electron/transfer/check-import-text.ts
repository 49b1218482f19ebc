import type { AppError } from '../bridge/app-error.ts'
import { err, ok, type Result } from '../bridge/result.ts'

/**
 * Refuses a text of more than `limitBytes` in UTF-8 (`too-large`), and one that can't be text (`not-text`). Otherwise returns the same text.
 * Other control characters and U+FFFD are allowed, because values can contain them, and what Holdfast writes it must also read. The page
 * refuses a file whose bytes are not UTF-8 when it decodes them.
 */
export function checkImportText(text: string, limitBytes: number): Result<string, Extract<AppError, { kind: 'too-large' | 'not-text' }>> {
  // A text never has fewer bytes than UTF-16 units, so the cheap test comes first.
  if (text.length > limitBytes || Buffer.byteLength(text, 'utf8') > limitBytes) {
    return err({
      kind: 'too-large',
      message: `This is too large to import: the limit is ${inWords(limitBytes)}. Split it and import the parts.`,
    })
  }
  if (text.includes('\0')) {
    return err({ kind: 'not-text', message: 'This isn’t a text file. Choose a .env file saved as UTF-8 text.' })
  }
  // Encoding half a character would change the value without telling the user.
  if (!text.isWellFormed()) {
    return err({
      kind: 'not-text',
      message: 'Some characters of this text couldn’t be read. Save the file as UTF-8, then import it again.',
    })
  }
  return ok(text)
}

function inWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round((bytes / (1024 * 1024)) * 10) / 10} MiB` : `${bytes} bytes`
}
