import { err, ok } from '../bridge/result.ts'
import type { Result } from '../bridge/result.ts'

const minimum = 8

export type BadPassphrase = { kind: 'invalid-input'; message: string; field: 'passphrase' }

/**
 * Refuses a new passphrase of fewer than 8 characters (as a person counts them, code points of NFC). White space counts and is kept. Only
 * for new passphrases: an old one is right or wrong, whatever its length.
 */
export function checkPassphrase(passphrase: string): Result<string, BadPassphrase> {
  const length = Array.from(passphrase.normalize('NFC')).length
  if (length >= minimum) return ok(passphrase)
  return err({
    kind: 'invalid-input',
    message: `Use at least ${minimum} characters. Four random words work well.`,
    field: 'passphrase',
  })
}
