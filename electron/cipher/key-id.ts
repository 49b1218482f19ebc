import { hkdfSync } from 'node:crypto'
import { checkKey } from './check-key.ts'

/**
 * Returns a local name for a workspace key, 16 hexadecimal digits: HKDF-SHA-256 (RFC 5869) of the key under an info string of its own. The
 * key can't be found from the name. Throws TypeError when the key is not 32 bytes.
 */
export function keyId(workspaceKey: Uint8Array): string {
  checkKey(workspaceKey)
  return Buffer.from(hkdfSync('sha256', workspaceKey, '', 'holdfast key id v1', 8)).toString('hex')
}
