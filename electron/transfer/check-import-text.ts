import type { AppError } from '../bridge/app-error.ts'
import { err, ok } from '../bridge/result.ts'
import type { Result } from '../bridge/result.ts'

/**
 * Refuses a text of more than `limitBytes` in UTF-8 (`too-large`), and a binary or wrongly decoded
 * file (`not-text`). Otherwise returns the same text.
 */
export function checkImportText(text: string, limitBytes: number): Result<string, Extract<AppError, { kind: 'too-large' | 'not-text' }>> {
  // A text never has fewer bytes than UTF-16 units, so the cheap test comes first.
  if (text.length > limitBytes || Buffer.byteLength(text, 'utf8') > limitBytes) {
    return err({
      kind: 'too-large',
      message: `This is too large to import: the limit is ${inWords(limitBytes)}. Split it and import the parts.`,
      limitBytes,
    })
  }
  if (controls.test(text)) {
    return err({ kind: 'not-text', message: 'This isn’t a text file. Choose a .env file saved as UTF-8 text.' })
  }
  // Decoders put this character in place of bytes that are not UTF-8. Importing it would change values without telling the user.
  if (text.includes('\ufffd') || !text.isWellFormed()) {
    return err({
      kind: 'not-text',
      message: 'Some characters of this text couldn’t be read. Save the file as UTF-8, then import it again.',
    })
  }
  return ok(text)
}

/** All control characters but white space and the escape of terminal colours. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const controls = /[\0-\x08\x0e-\x1a\x1c-\x1f]/

function inWords(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.round((bytes / (1024 * 1024)) * 10) / 10} MiB` : `${bytes} bytes`
}
