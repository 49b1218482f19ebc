import { hkdfSync } from 'node:crypto'
import { checkKey } from './check-key.ts'

/**
 * A local name for a workspace key, 16 hexadecimal digits: HKDF-SHA-256 (RFC 5869) of the key
 * under an info string of its own, so that it tells two keys apart and leads back to neither.
 * Throws TypeError when the key is not 32 bytes.
 */
export function keyId(workspaceKey: Uint8Array): string {
  checkKey(workspaceKey)
  return Buffer.from(hkdfSync('sha256', workspaceKey, '', 'holdfast key id v1', 8)).toString('hex')
}
