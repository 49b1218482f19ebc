import type { Session } from 'electron'

/**
 * `fetch` for services: through Chromium, which knows the system's proxy (also one that a script names) and the certificates that it
 * trusts. What runs on this computer is asked directly. `session` is one of its own that keeps nothing: no cookie, no cache.
 */
export function serviceFetch(session: Session): typeof fetch {
  // Electron throws on an invalid status where nothing can catch it, which would end the process. A new status line needs the headers too.
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

/** The same in a line each for the settings. On Linux, Chromium reads the certificates of the user's own store, not those of the system. */
export const chromiumNetwork = (platform: string) => ({
  proxy: 'From the system',
  certificates: platform === 'linux' ? 'Built in, and from your NSS store (~/.pki/nssdb)' : 'From the system',
})
