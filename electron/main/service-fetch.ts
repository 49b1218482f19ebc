import type { Session } from 'electron'

/**
 * `fetch` for services, through Chromium, which knows the system's proxy (also one from a script) and its trusted certificates. Services on
 * this computer are asked directly. `session` is a separate one that keeps no cookies and no cache.
 */
export function serviceFetch(session: Session): typeof fetch {
  // For an invalid status, Electron throws where nothing can catch it, and the process would end. A new status line needs the headers too.
  session.webRequest.onHeadersReceived((details, respond) => {
    const isStatus = details.statusCode >= 200 && details.statusCode <= 599
    respond(isStatus ? {} : { responseHeaders: details.responseHeaders ?? {}, statusLine: 'HTTP/1.1 599 Not a status' })
  })
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    if (thisComputer.test(url.hostname)) return fetch(input, init)
    return session.fetch(input instanceof URL ? input.href : input, init)
  }
}

const thisComputer = /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/

/**
 * Describes proxy and certificates for the settings, one line each. On Linux, Chromium reads the certificates of the user's own store, not
 * those of the system.
 */
export const chromiumNetwork = (platform: string) => ({
  proxy: 'From the system',
  certificates: platform === 'linux' ? 'Built in, and from your NSS store (~/.pki/nssdb)' : 'From the system',
})
