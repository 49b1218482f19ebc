import { err, ok, type Result } from '../bridge/result.ts'
import { checkSegment, textOf, type Segment } from './check-segment.ts'
import { meansExactly } from './means-exactly.ts'
import type { RemoteError } from './remote.ts'

/**
 * The URL of `segments` under a checked base URL. Promises that the URL, parsed again, has the
 * base's origin and path followed by exactly these segments; otherwise `unsafe`. (encodeURIComponent
 * leaves '..' alone and parsers collapse it: a DELETE would hit the parent.)
 */
export function buildUrl(
  baseUrl: string,
  segments: readonly Segment[],
  query: Readonly<Record<string, string>> = {},
): Result<string, RemoteError> {
  for (const segment of segments) {
    const checked = checkSegment(segment)
    if (!checked.ok) return checked
  }
  const search = new URLSearchParams(query).toString()
  const path = segments.map((segment) => `/${encodeURIComponent(textOf(segment))}`).join('')
  const url = new URL(baseUrl + path + (search === '' ? '' : `?${search}`))
  return meansExactly(url, new URL(baseUrl), segments.map(textOf)) ? ok(url.href) : err(unsafe)
}

const unsafe: RemoteError = {
  kind: 'unsafe',
  outcome: 'none',
  message: 'This name can’t be used in an address. Nothing was sent. Use another name.',
}
