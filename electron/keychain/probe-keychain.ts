import { randomBytes } from 'node:crypto'
import { createOsKeychain } from './os-keychain.ts'
import type { OsKeychainOptions } from './os-keychain.ts'
import type { Result } from '../bridge/result.ts'
import type { KeyStore, KeyStoreError } from './key-store.ts'

export type KeychainAnswer = 'available' | 'absent' | 'locked' | 'cancelled'

/**
 * Checks whether the operating system's keychain works: stores a random text under a name of its own, reads it, removes it, and checks that
 * it is removed. The system may show a prompt meanwhile.
 */
export async function probeKeychain(options: OsKeychainOptions): Promise<KeychainAnswer> {
  const failure = await selfTest(createOsKeychain(options))
  if (failure === null) return 'available'
  if (failure === 'keychain-locked') return 'locked'
  return failure === 'keychain-cancelled' ? 'cancelled' : 'absent'
}

/** Returns null if the keychain works, otherwise the failure. */
async function selfTest(keychain: KeyStore): Promise<KeyStoreError['kind'] | null> {
  const name = `self-test-${randomBytes(8).toString('hex')}`
  const secret = randomBytes(32).toString('base64')
  const expectAnswer = async <T>(asked: Promise<Result<T, KeyStoreError>>, expected: T) => {
    const answer = await asked
    if (!answer.ok) return answer.error.kind
    return answer.value === expected ? null : ('keychain-absent' as const)
  }
  return (
    (await expectAnswer(keychain.set(name, secret), null)) ??
    (await expectAnswer(keychain.get(name), secret)) ??
    (await expectAnswer(keychain.delete(name), null)) ??
    (await expectAnswer(keychain.get(name), null))
  )
}
