import http from 'node:http'
import tls from 'node:tls'
import type { NetworkRow } from '../bridge/rows.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Services on this computer are never reached through a proxy. */
const loopback = ['localhost', '127.0.0.1', '[::1]', '::1']

/** How requests are sent to services, and by which settings of the system. */
export interface SystemNetwork {
  fetch: typeof fetch
  network: NetworkRow
}

/**
 * Returns a `fetch` that uses the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, in either case). It trusts the system's
 * certificates and those of Node. An older Node can do neither.
 */
export function systemNetwork(env: Env): SystemNetwork {
  const { getCACertificates, setDefaultCACertificates } = tls as CertificateStore
  const canTrust = getCACertificates !== undefined && setDefaultCACertificates !== undefined
  // Reading the certificates takes tens of milliseconds. The first page must not wait for that.
  let trust = canTrust
    ? () => setDefaultCACertificates([...new Set([...getCACertificates('default'), ...getCACertificates('system')])])
    : null
  return {
    network: { proxy: useProxy(env), certificates: canTrust ? 'From the system, and built in' : 'Built in' },
    fetch: (input, init) => {
      trust?.()
      trust = null
      return globalThis.fetch(input, init)
    },
  }
}

/** Since Node 24.5. */
interface CertificateStore {
  getCACertificates?: (type: 'default' | 'system') => string[]
  setDefaultCACertificates?: (certificates: readonly string[]) => void
}

function useProxy(env: Env): string {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined
  const named = { HTTPS_PROXY: read('HTTPS_PROXY'), HTTP_PROXY: read('HTTP_PROXY') }
  const usable = Object.entries(named).flatMap(([name, url]) => (url !== undefined && hostOf(url) !== null ? [[name, url] as const] : []))
  const host = usable.flatMap(([, url]) => hostOf(url) ?? [])[0]
  if (Object.values(named).every((url) => url === undefined)) return 'None'
  if (host === undefined) return 'None: the system’s proxy setting isn’t a valid address'
  // Since Node 24.14; the application has to run on versions that do not have it.
  const { setGlobalProxyFromEnv } = http as { setGlobalProxyFromEnv?: (env: Record<string, string>) => void }
  if (setGlobalProxyFromEnv === undefined) return 'None: this version of Node can’t use the system’s proxy'
  const except = [...(read('NO_PROXY')?.split(',') ?? []).map((entry) => entry.trim()).filter((entry) => entry !== ''), ...loopback]
  setGlobalProxyFromEnv({ ...Object.fromEntries(usable), NO_PROXY: except.join(',') })
  return `From the system (${host})`
}

/** Leaves out a name and password that may be before the host. */
function hostOf(proxy: string): string | null {
  const url = URL.canParse(proxy) ? new URL(proxy) : null
  return url !== null && /^https?:$/.test(url.protocol) ? url.host : null
}
