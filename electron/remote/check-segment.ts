import { err, ok, type Result } from '../bridge/result.ts'
import type { RemoteError } from './remote.ts'

/** One segment of a path, not yet encoded: a slug, a name, or an id. The service chooses ids, so an id may be any text. */
export type Segment = string | { id: string }

/** The text of a segment. */
export const textOf = (segment: Segment): string => (typeof segment === 'string' ? segment : segment.id)

/**
 * Checks one segment of a path. The error is `unsafe` if a URL parser or a proxy could read the segment as another path, and so as another
 * record. Only ids may contain "/": the service chose them, and no user can rename one.
 */
export function checkSegment(segment: Segment): Result<string, RemoteError> {
  const text = textOf(segment)
  const problem = problemOf(text) ?? (typeof segment === 'string' && text.includes('/') ? 'must not contain "/"' : null)
  return problem === null
    ? ok(text)
    : err({ kind: 'unsafe', outcome: 'none', message: `A name used in an address ${problem}. Nothing was sent. Use another name.` })
}

function problemOf(text: string): string | null {
  if (text === '') return 'must not be empty'
  // The encoded forms of the dots are refused too: a proxy that decodes twice would go up to the parent.
  if (text.split(/[\\/]/).some((part) => /^(\.|%2e){1,2}$/i.test(part))) return 'must not be "." or ".."'
  if (/\p{Cc}/u.test(text)) return 'must not contain control characters such as line breaks'
  if (!text.isWellFormed()) return 'must be well-formed text'
  return null
}
