import { generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Authority {
  /** File with the certificate of the authority, as systems keep them. */
  file: string
  /** A certificate of it for a host, and its key, both PEM. */
  issue(host: string): { cert: string; key: string }
}

/** DER, as X.680 and X.690 describe it: a tag, a length, what is in it. */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  const bytes =
    body.length < 0x80 ? [body.length] : body.length < 0x100 ? [0x81, body.length] : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...bytes]), body])
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content)
const utcTime = (ms: number) => der(0x17, `${new Date(ms).toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`)
const commonName = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, text))))
const critical = der(0x01, Buffer.from([0xff]))
const basicConstraints = (isAuthority: boolean) =>
  sequence(oid('551d13'), critical, der(0x04, sequence(...(isAuthority ? [critical] : []))))
const nameOfHost = (host: string) => sequence(oid('551d11'), der(0x04, sequence(der(0x82, host))))
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
const dayMs = 86_400_000

interface Subject {
  name: string
  publicKey: KeyObject
  extensions: Buffer[]
}

/** An X.509 certificate (RFC 5280), PEM, that is valid from yesterday on for 30 days. */
function certify({ name, publicKey, extensions }: Subject, issuer: { name: string; privateKey: KeyObject }): string {
  const now = Date.now()
  const signed = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ecdsaWithSha256,
    commonName(issuer.name),
    sequence(utcTime(now - dayMs), utcTime(now + 30 * dayMs)),
    commonName(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  )
  const certificate = sequence(signed, ecdsaWithSha256, bits(sign('sha256', signed, issuer.privateKey)))
  return `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** A certificate authority of one's own, its certificate in `dir`. Made without openssl, which not every machine has. */
export function makeAuthority(dir: string): Authority {
  const { publicKey, privateKey } = newKeys()
  const issuer = { name: 'A test authority', privateKey }
  const file = join(dir, 'ca.pem')
  writeFileSync(file, certify({ name: issuer.name, publicKey, extensions: [basicConstraints(true)] }, issuer))
  return {
    file,
    issue(host) {
      const keys = newKeys()
      const extensions = [basicConstraints(false), nameOfHost(host)]
      return {
        cert: certify({ name: host, publicKey: keys.publicKey, extensions }, issuer),
        key: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}
