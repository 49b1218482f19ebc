import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Authority {
  /** File with the certificate of the authority, as systems keep them. */
  file: string
  /** A certificate of it for a host, and its key. */
  issue(host: string, options?: { days?: number }): { cert: string; key: string }
}

/** A certificate authority of one's own, made by openssl in `dir`. */
export function makeAuthority(dir: string): Authority {
  const at = (name: string) => join(dir, name)
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: dir, stdio: 'pipe' })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...newKey, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=A test authority')
  let issued = 0
  return {
    file: at('ca.pem'),
    issue(host, { days = 30 } = {}) {
      issued += 1
      const [key, request, cert, extensions] = ['key', 'csr', 'pem', 'ext'].map((end) => `${issued}.${end}`) as [
        string,
        string,
        string,
        string,
      ]
      writeFileSync(at(extensions), `subjectAltName=DNS:${host}\nbasicConstraints=CA:FALSE\n`)
      openssl('req', ...newKey, '-keyout', key, '-out', request, '-subj', `/CN=${host}`)
      const by = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', String(days), '-extfile', extensions]
      openssl('x509', '-req', '-in', request, '-out', cert, ...by)
      return { cert: readFileSync(at(cert), 'utf8'), key: readFileSync(at(key), 'utf8') }
    },
  }
}
