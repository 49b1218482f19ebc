import type { KeyStoreError } from './key-store.ts'

type KeychainKind = 'keychain-absent' | 'keychain-locked' | 'keychain-cancelled'

/** One sentence for each of the three answers of a keychain that does not serve us. */
export function keychainFailure(kind: KeychainKind): Extract<KeyStoreError, { kind: KeychainKind }> {
  return { kind, message: messages[kind] }
}

const messages: Record<KeychainKind, string> = {
  'keychain-absent':
    'Holdfast can’t use a keychain on this computer. Choose a vault with a passphrase, or keep keys for this session only.',
  'keychain-locked': 'The system keychain is locked. Unlock it and try again.',
  'keychain-cancelled': 'The system keychain denied the request or didn’t answer in time. Try again and allow Holdfast.',
}

/** No person reads a prompt and closes it in less than this. */
const humanMilliseconds = 300

/**
 * Which answer an error of @napi-rs/keyring means. The library has no codes of its own: it passes on the
 * words of the platform, so it is the words that are read (macOS: SecCopyErrorMessageString,
 * Windows: FormatMessage, Linux: the Secret Service). `elapsedMs` is how long the call took.
 */
export function readKeychainError(error: unknown, elapsedMs: number): KeyStoreError {
  const words = wordsOf(error)
  if (/longer than platform limit/i.test(words)) {
    const limitBytes = Number(/limit of (\d+)/.exec(words)?.[1] ?? 2560)
    return {
      kind: 'too-large',
      message: `The system keychain stores at most ${limitBytes} bytes per entry. Use a shorter key, or a vault.`,
      limitBytes,
    }
  }
  if (/prompt (was )?dismissed/i.test(words)) {
    // Where no prompt can be shown (no display, no agent), the Secret Service says dismissed at once.
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
