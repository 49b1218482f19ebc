import { deriveTagKey, equalityTag } from './equality-tag.ts'
import { keyId } from './key-id.ts'
import { wipeKey } from './key-object.ts'
import { decryptValue, encryptValue, isSealed } from './value-cipher.ts'

/** A sealed value with its equality tag (null: the key does not open it), and the id of the key that made the tag. */
interface TaggedValue {
  sealed: string
  tag: string | null
  keyId: string
}

/** One workspace's key at work. */
export interface WorkspaceCipher {
  /** Tags compare only under one key id. */
  readonly keyId: string
  /** Seals a plaintext and tags it. */
  seal(text: string): TaggedValue
  /** Stands a tag beside a value from the service; one that came in plain is sealed, so that it never touches the disk as it came. */
  accept(wireValue: string): TaggedValue
  /** The plaintext, or null when the key does not open it. */
  open(sealed: string): string | null
  /** The tag that `text` would get, to compare without sealing. */
  tagOf(text: string): string
  /** Overwrites the key and what was derived from it, at a lock. Nothing may be sealed or opened afterwards. */
  wipe(): void
}

/** The cipher of a 32-byte workspace key, which it takes over: `wipe` overwrites it. Throws TypeError on any other length. */
export function createWorkspaceCipher(key: Uint8Array): WorkspaceCipher {
  const id = keyId(key)
  const tagKey = deriveTagKey(key)
  let isWiped = false
  const open = (sealed: string): string | null => {
    if (isWiped) return null
    try {
      return decryptValue(key, sealed)
    } catch (error) {
      if (error instanceof TypeError) return null
      throw error
    }
  }
  const seal = (text: string): TaggedValue => {
    // Sealed under a key of zeros a value would be lost to its owner and open to everybody.
    if (isWiped) throw new Error('The keys were locked while a value was being sealed')
    return { sealed: encryptValue(key, text), tag: equalityTag(tagKey, text), keyId: id }
  }
  return {
    keyId: id,
    seal,
    accept(wireValue) {
      if (!isSealed(wireValue)) return seal(wireValue)
      const text = open(wireValue)
      return { sealed: wireValue, tag: text === null ? null : equalityTag(tagKey, text), keyId: id }
    },
    open,
    tagOf: (text) => equalityTag(tagKey, text),
    wipe() {
      isWiped = true
      wipeKey(key)
      wipeKey(tagKey)
    },
  }
}
