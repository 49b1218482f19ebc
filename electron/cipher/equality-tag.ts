import { createHmac, hkdfSync } from 'node:crypto'
import { checkKey, keyLength } from './check-key.ts'
import { keyObject } from './key-object.ts'
import { useUtf8 } from './use-utf8.ts'

/**
 * Derives the key for equality tags: HKDF-SHA-256 (RFC 5869) of the workspace key, no salt, under a fixed info string, 32 bytes. Throws
 * TypeError when the key is not 32 bytes.
 */
export function deriveTagKey(workspaceKey: Uint8Array): Uint8Array {
  checkKey(workspaceKey)
  return new Uint8Array(hkdfSync('sha256', workspaceKey, '', 'holdfast equality tag v1', keyLength))
}

/**
 * Returns a tag that is the same for two texts exactly if the texts are equal: HMAC-SHA-256 (RFC 2104) of the text's UTF-8 bytes as
 * base64url, 43 characters. Without the key, the tag says nothing about the text. Lone surrogates count as U+FFFD, as in a sealed value.
 * `text` may be the text's UTF-8 bytes.
 */
export function equalityTag(tagKey: Uint8Array, text: string | Buffer): string {
  const tagOf = (bytes: Buffer) => createHmac('sha256', keyObject(tagKey)).update(bytes).digest('base64url')
  return typeof text === 'string' ? useUtf8(text, tagOf) : tagOf(text)
}
