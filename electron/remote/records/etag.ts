import { z } from 'zod'

/** A strong entity tag (RFC 9110 section 8.8.3) of visible ASCII, so that it can go back as If-Match. */
const strong = /^"[\x21\x23-\x7e]*"$/

/**
 * An ETag as the header spells it, or undefined. Weak ones (`W/"…"`, which compressing proxies make)
 * do not count: If-Match compares strongly, so a write with one could never succeed.
 */
export const readEtag = (header: string | null): string | undefined => (header !== null && strong.test(header) ? header : undefined)

/** The same as a field beside a record. */
export const etagField = z.string().regex(strong).optional().catch(undefined)
