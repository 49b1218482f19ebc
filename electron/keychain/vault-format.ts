import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { z } from 'zod'

/**
 * A vault file is three lines of text:
 *   1  the header as JSON: format, version, scrypt parameters and salt, iv
 *   2  base64 of ciphertext ‖ tag[16]: AES-256-GCM of the JSON list of [name, secret],
 *      with the bytes of line 1 as associated data
 *   3  SHA-256 of lines 1 and 2 in hexadecimal, to tell a damaged file from a wrong passphrase;
 *      it protects nothing, the tag does
 */
const header = z.strictObject({
  format: z.literal('holdfast-vault'),
  version: z.literal(1),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    // The bounds make sure that no file makes the app spend more than 1 GiB or a minute on a passphrase.
    N: z.union([13, 14, 15, 16, 17, 18, 19, 20].map((power) => z.literal(2 ** power))),
    r: z.int().min(1).max(8),
    p: z.int().min(1).max(4),
    salt: z.base64().length(44),
  }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), iv: z.base64().length(16) }),
})
const anyVersion = z.looseObject({ format: z.literal('holdfast-vault'), version: z.int().min(2) })
// Pairs, because a plain object cannot carry every name.
const secrets = z.array(z.tuple([z.string(), z.string()]))
const tagLength = 16

type Header = z.infer<typeof header>

/** How the passphrase becomes a key: the scrypt parameters and the salt (base64 of 32 bytes). */
export type Derivation = Header['kdf']

/** Why a vault text was not opened. `newer`: a later version of the app wrote it. */
export type VaultRefusal = 'passphrase-wrong' | 'damaged' | 'newer'

/** Makes parameters with a random salt: scrypt N=2^17 r=8 p=1 (RFC 7914), 128 MiB and some tenths of a second. */
export function newDerivation(): Derivation {
  return { name: 'scrypt', N: 2 ** 17, r: 8, p: 1, salt: randomBytes(32).toString('base64') }
}

/** Derives the 32-byte key of a passphrase. The passphrase is normalized to NFC, so that it gives the same key on every system. */
export async function deriveVaultKey(passphrase: string, { N, r, p, salt }: Derivation): Promise<Buffer> {
  const options = { N, r, p, maxmem: 128 * N * r + 128 * r * p + 1024 * 1024 }
  const text = Buffer.from(passphrase.normalize('NFC'), 'utf8')
  try {
    return await scryptAsync(text, Buffer.from(salt, 'base64'), 32, options)
  } finally {
    text.fill(0)
  }
}

/** Returns the text of a vault with `entries`, under a fresh iv. */
export function sealVault(key: Uint8Array, derivation: Derivation, entries: ReadonlyMap<string, string>): string {
  const iv = randomBytes(12)
  const head: Header = { format: 'holdfast-vault', version: 1, kdf: derivation, cipher: { name: 'aes-256-gcm', iv: iv.toString('base64') } }
  const firstLine = JSON.stringify(head)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
  cipher.setAAD(Buffer.from(firstLine, 'utf8'))
  const plain = Buffer.from(JSON.stringify([...entries]), 'utf8')
  const body = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  plain.fill(0)
  const lines = `${firstLine}\n${body.toString('base64')}\n`
  return `${lines}${checksum(lines)}\n`
}

export type OpenedVault = { key: Buffer; derivation: Derivation; entries: Map<string, string> }

/** Opens a vault text with a passphrase. Deriving the key takes a while, so the header is checked first. */
export async function openVault(text: string, passphrase: string): Promise<OpenedVault | VaultRefusal> {
  const [firstLine = '', secondLine = '', sum = ''] = text.split('\n')
  const head = parseHeader(firstLine)
  if (typeof head === 'string') return head
  const key = await deriveVaultKey(passphrase, head.kdf)
  const entries = openBody(key, Buffer.from(head.cipher.iv, 'base64'), firstLine, Buffer.from(secondLine, 'base64'))
  if (entries !== null) return { key, derivation: head.kdf, entries }
  return sum === checksum(`${firstLine}\n${secondLine}\n`) ? 'passphrase-wrong' : 'damaged'
}

function parseHeader(line: string): Header | VaultRefusal {
  const json = parseJson(line)
  const parsed = header.safeParse(json)
  if (parsed.success) return parsed.data
  return anyVersion.safeParse(json).success ? 'newer' : 'damaged'
}

function openBody(key: Uint8Array, iv: Buffer, firstLine: string, body: Buffer): Map<string, string> | null {
  if (body.length < tagLength) return null
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: tagLength })
  decipher.setAAD(Buffer.from(firstLine, 'utf8'))
  decipher.setAuthTag(body.subarray(-tagLength))
  const start = decipher.update(body.subarray(0, -tagLength))
  try {
    decipher.final()
    const parsed = secrets.safeParse(parseJson(start.toString('utf8')))
    return parsed.success ? new Map(parsed.data) : null
  } catch {
    return null
  } finally {
    start.fill(0)
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const checksum = (text: string) => createHash('sha256').update(text).digest('hex')

const scryptAsync = promisify<Buffer, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt)
