export const keysErrors = {
  unchosen: { kind: 'keys-unchosen', message: 'First choose where Holdfast stores your keys on this computer.' },
  alreadyChosen: { kind: 'invalid-input', message: 'A key store was already chosen. Unlock it to use it.', field: 'store' },
  pinMissing: { kind: 'invalid-input', message: 'Enter your PIN.', field: 'pin' },
  pinWrong: { kind: 'passphrase-wrong', message: 'Wrong PIN. Try again, or enter a workspace’s key.' },
  pinShort: { kind: 'invalid-input', message: 'A PIN must have at least 6 characters.', field: 'pin' },
  pinElsewhere: {
    kind: 'invalid-input',
    message: 'A PIN protects keys in the system keychain. A vault has its passphrase.',
    field: 'pin',
  },
  notAuthenticated: { kind: 'keychain-cancelled', message: 'Your system couldn’t confirm that it’s you. Try again.' },
  systemUnavailable: {
    kind: 'unsupported',
    message: 'This system can’t ask you right now. Try again, or enter your PIN or a workspace’s key.',
  },
  cannotLock: {
    kind: 'invalid-input',
    message: 'Set a PIN in Settings first: without one, anyone here could unlock Holdfast.',
    field: 'pin',
  },
  noVault: { kind: 'invalid-input', message: 'The vault is locked. Unlock it first.', field: 'passphrase' },
  passphraseMissing: { kind: 'invalid-input', message: 'Enter the passphrase of the vault.', field: 'passphrase' },
  locked: {
    vault: { kind: 'keys-locked', message: 'The keys are locked. Enter the passphrase of the vault to unlock them.' },
    os: { kind: 'keys-locked', message: 'The keys are locked. Unlock them to read values and to sync.' },
  },
  keychain: {
    absent: {
      kind: 'keychain-absent',
      message: 'Holdfast can’t use a keychain on this computer. Choose a vault with a passphrase, or this session only.',
    },
    locked: { kind: 'keychain-locked', message: 'The system keychain is locked. Unlock it, then try again.' },
    cancelled: {
      kind: 'keychain-cancelled',
      message: 'The system keychain wasn’t unlocked. Try again and allow Holdfast to use it.',
    },
  },
} as const
