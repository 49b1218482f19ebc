import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * Lets one person's browser in, and no other page or program of this computer. The printed address contains a token, which works once and
 * for ten minutes. For the token the browser gets a cookie, which opens only the page's files, and a secret, which only the page's tab
 * knows. The secret is sent once, in the page that the token opens. Afterwards both sides prove that they know it, and neither sends it.
 * Cookie and secret last as long as the host.
 */
export interface EntryPass {
  readonly cookie: { readonly name: string; readonly value: string }
  readonly secret: string
  /** Returns the current token. After it was spent, and after ten minutes, there is a new one. */
  token(): string
  /** Spends a token. True only once for each token, within its time. */
  spend(token: string): boolean
  knowsCookie(value: string | undefined): boolean
  /** HMAC-SHA-256 of `text` under the secret, base64url. */
  prove(text: string): string
  /** Whether `proof` is the result of `prove` for `text`. */
  isProof(text: string, proof: string): boolean
}

export const tokenMs = 10 * 60_000

const random = () => randomBytes(24).toString('base64url')

/**
 * Makes the pass of a host. Cookies are not bound to a port, so `port` is part of the cookie's name: two hosts do not sign each other out.
 * `now` is in ms and never goes back.
 */
export function createEntryPass(port: number, now: () => number = () => performance.now()): EntryPass {
  const cookie = { name: `holdfast-${port}`, value: random() }
  const secret = random()
  const draw = () => ({ text: random(), until: now() + tokenMs })
  let current = draw()
  const valid = () => {
    if (now() >= current.until) current = draw()
    return current
  }
  const prove = (text: string) => createHmac('sha256', secret).update(text).digest('base64url')
  return {
    cookie,
    secret,
    token: () => valid().text,
    spend(offered) {
      const right = isSame(offered, valid().text)
      if (right) current = draw()
      return right
    },
    knowsCookie: (value) => value !== undefined && isSame(value, cookie.value),
    prove,
    isProof: (text, proof) => isSame(proof, prove(text)),
  }
}

/** Compares two texts. The time it takes does not depend on where they differ, nor on their lengths. */
function isSame(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
