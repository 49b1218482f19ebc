import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * What lets one person's browser in, and no other page or program of this computer.
 * A token stands in the printed address and works once. It is exchanged for a cookie (which browsers send, to any
 * port of this computer) and a secret (which only the page's own tab knows). Cookie and secret last as long as the host.
 */
export interface EntryPass {
  readonly cookie: { readonly name: string; readonly value: string }
  readonly secret: string
  /** The token that lets in next; a fresh one after each that was spent. */
  token(): string
  /** True once for each token. */
  spend(token: string): boolean
  knowsCookie(value: string | undefined): boolean
  knowsSecret(secret: string): boolean
}

const random = () => randomBytes(24).toString('base64url')

/** Makes the pass of a host. Cookies are not bound to a port, so `port` is part of the cookie's name: two hosts do not sign each other out. */
export function createEntryPass(port: number): EntryPass {
  const cookie = { name: `holdfast-${port}`, value: random() }
  const secret = random()
  let token = random()
  return {
    cookie,
    secret,
    token: () => token,
    spend(offered) {
      const right = isSame(offered, token)
      if (right) token = random()
      return right
    },
    knowsCookie: (value) => value !== undefined && isSame(value, cookie.value),
    knowsSecret: (offered) => isSame(offered, secret),
  }
}

/** Equality in a time that says nothing about where two texts differ, nor about their lengths. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
