import type { KeyStoreError } from './key-store.ts'

type KeychainKind = 'keychain-absent' | 'keychain-locked' | 'keychain-cancelled'

/** One sentence for each of the three answers of a keychain that gives no key. */
export function keychainFailure(kind: KeychainKind): Extract<KeyStoreError, { kind: KeychainKind }> {
  return { kind, message: messages[kind] }
}

const messages: Record<KeychainKind, string> = {
  'keychain-absent':
    'Holdfast can’t use a keychain on this computer. Choose a vault with a passphrase, or keep keys for this session only.',
  'keychain-locked': 'The system keychain is locked. Unlock it and try again.',
  'keychain-cancelled': 'The system keychain denied the request or didn’t answer in time. Try again and allow Holdfast.',
}

/** The least time in which a person can read a prompt and close it. */
const humanMilliseconds = 300

/**
 * Returns the answer that an error of @napi-rs/keyring means. The library has no error codes and passes on the platform's message, so the
 * message is read (macOS: SecCopyErrorMessageString, Windows: FormatMessage, Linux: the Secret Service). `elapsedMs` is how long the call
 * took.
 */
export function readKeychainError(error: unknown, elapsedMs: number): KeyStoreError {
  const words = wordsOf(error)
  if (/longer than platform limit/i.test(words)) {
    const limitBytes = Number(/limit of (\d+)/.exec(words)?.[1] ?? 2560)
    return {
      kind: 'too-large',
      message: `The system keychain stores at most ${limitBytes} bytes per entry. Use a shorter key, or a vault.`,
    }
  }
  if (/prompt (was )?dismissed/i.test(words)) {
    // If no prompt can be shown (no display, no agent), the Secret Service says "dismissed" at once.
    return keychainFailure(elapsedMs < humanMilliseconds ? 'keychain-locked' : 'keychain-cancelled')
  }
  if (/cancell?ed|-128\b|\b1223\b|aborted/i.test(words)) return keychainFailure('keychain-cancelled')
  if (lockedWords.test(words)) return keychainFailure('keychain-locked')
  return keychainFailure('keychain-absent')
}

/** Secret Service "object locked"; macOS -25308, -25293 (wrong password typed), -25315; Windows access denied. */
const lockedWords =
  /object locked|is ?locked|interaction is not allowed|interaction is required|passphrase you entered is not correct|-25308|-25293|-25315|access is denied/i

/** The messages of the error and of all its causes. */
function wordsOf(error: unknown): string {
  const parts: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth++) parts.push(at.message)
  return parts.join('\n')
}
