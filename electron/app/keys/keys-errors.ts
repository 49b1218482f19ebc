/** The sentences of the keys manager. */
export const keysErrors = {
  unchosen: { kind: 'keys-unchosen', message: 'Choose first where Holdfast keeps its keys on this computer.' },
  alreadyChosen: { kind: 'invalid-input', message: 'Where keys are kept was chosen already; unlock that store to use it.', field: 'store' },
  passphraseMissing: { kind: 'invalid-input', message: 'Enter the passphrase of the vault.', field: 'passphrase' },
  locked: {
    vault: { kind: 'keys-locked', message: 'The keys are locked. Enter the passphrase of the vault to unlock them.' },
    os: { kind: 'keys-locked', message: 'The keys are locked. Unlock them to read values and to sync.' },
  },
  keychain: {
    absent: {
      kind: 'keychain-absent',
      message: 'This computer has no keychain that works. Choose a vault with a passphrase, or this session only.',
    },
    locked: { kind: 'keychain-locked', message: 'The keychain of this computer is locked. Unlock it, then try again.' },
    cancelled: {
      kind: 'keychain-cancelled',
      message: 'The keychain of this computer was not opened. Try again and allow Holdfast to use it.',
    },
  },
} as const
