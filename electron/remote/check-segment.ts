import { err, ok, type Result } from '../bridge/result.ts'
import type { RemoteError } from './remote.ts'

/**
 * Checks a slug, name or id that is about to become one segment of a path. Refused as `unsafe`:
 * whatever a URL parser or a proxy on the way could read as another path, and so as another record.
 */
export function checkSegment(segment: string): Result<string, RemoteError> {
  const problem = problemOf(segment)
  return problem === null
    ? ok(segment)
    : err({ kind: 'unsafe', outcome: 'none', message: `A name that goes into an address ${problem}. Nothing was sent; use another name.` })
}

function problemOf(segment: string): string | null {
  if (segment === '') return 'must not be empty'
  // Once-decoded forms count too: a proxy that decodes twice would walk up to the parent.
  if (segment.split('\\').some((part) => /^(\.|%2e){1,2}$/i.test(part))) return 'must not be "." or ".."'
  if (segment.includes('/')) return 'must not contain "/"'
  if (/\p{Cc}/u.test(segment)) return 'must not contain control characters such as line breaks'
  if (!segment.isWellFormed()) return 'must be well-formed text'
  return null
}
