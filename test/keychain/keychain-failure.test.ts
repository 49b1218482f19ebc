import { expect, test } from 'vitest'
import { readKeychainError } from '../../electron/keychain/keychain-failure.ts'

// The words are those of the platforms, as @napi-rs/keyring 2 passes them on.
test.each([
  [
    'Linux, no session bus',
    'Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled at compile time',
    5,
    'keychain-absent',
  ],
  [
    'Linux, no bus at the address',
    'Platform failure: DBus error: Failed to connect to socket /run/user/0/bus: No such file or directory',
    5,
    'keychain-absent',
  ],
  [
    'Linux, no Secret Service',
    'Platform failure: DBus error: The name org.freedesktop.secrets was not provided by any .service files',
    5,
    'keychain-absent',
  ],
  [
    'Linux, a service that is silent',
    'Platform failure: DBus error: Did not receive a reply. Possible causes include: ...',
    2000,
    'keychain-absent',
  ],
  ['Linux, locked', "Couldn't access platform storage: Secret Service: object locked", 5, 'keychain-locked'],
  [
    'Linux, nowhere to show a prompt',
    "Couldn't access platform storage: Secret Service: unlock prompt was dismissed",
    25,
    'keychain-locked',
  ],
  ['Linux, a person said no', "Couldn't access platform storage: Secret Service: unlock prompt was dismissed", 2500, 'keychain-cancelled'],
  ['macOS, a person said no', 'Platform failure: User canceled the operation.', 2500, 'keychain-cancelled'],
  ['macOS, no screen to ask on', 'Platform failure: User interaction is not allowed.', 5, 'keychain-locked'],
  ['macOS, a wrong password', 'Platform failure: The user name or passphrase you entered is not correct.', 2500, 'keychain-locked'],
  [
    'macOS, no keychain',
    "Couldn't access platform storage: No keychain is available. You may need to restart your computer.",
    5,
    'keychain-absent',
  ],
  ['macOS, a code without words', 'Platform failure: error code -128', 900, 'keychain-cancelled'],
  ['Windows, no logon session', "Couldn't access platform storage: A specified logon session does not exist.", 5, 'keychain-absent'],
  ['Windows, a person said no', 'Platform failure: The operation was canceled by the user.', 900, 'keychain-cancelled'],
  ['Windows, not allowed', 'Platform failure: Access is denied.', 5, 'keychain-locked'],
  ['Windows, too long', "Attribute 'secret' is longer than platform limit of 2560 chars", 5, 'too-large'],
  ['no binary for this platform', 'Cannot find native binding.', 5, 'keychain-absent'],
])('%s', (_, message, elapsed, kind) => {
  const failure = readKeychainError(new Error(message), elapsed)
  expect(failure.kind).toBe(kind)
  expect(failure.message).toMatch(/system keychain|^Holdfast can’t use a keychain/)
})

test('the words may stand in a cause', () => {
  expect(readKeychainError(new Error('failed', { cause: new Error('User canceled the operation.') }), 900).kind).toBe('keychain-cancelled')
})

test('the limit that the platform names is passed on', () => {
  expect(readKeychainError(new Error('longer than platform limit of 1234 chars'), 1).message).toContain('at most 1234 bytes')
})

test.each([[undefined], ['text'], [{}]])('%s thrown is no keychain', (thrown) => {
  expect(readKeychainError(thrown, 1).kind).toBe('keychain-absent')
})
