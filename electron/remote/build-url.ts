import { err, ok, type Result } from '../bridge/result.ts'
import { checkSegment, textOf, type Segment } from './check-segment.ts'
import type { RemoteError } from './remote.ts'

/**
 * Returns the URL of `segments` under a checked base URL. If the URL, parsed again, is not the base's origin and path followed by exactly
 * these segments, the error is `unsafe`. (encodeURIComponent leaves '..' as it is, and parsers collapse it: a DELETE would hit the parent.)
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

/**
 * Returns whether `url` is the origin and path of `base` followed by exactly `segments`, decoded. This is the last check before a request.
 * It does not depend on the rules for names.
 */
export function meansExactly(url: URL, base: URL, segments: readonly string[]): boolean {
  const prefix = base.pathname.replace(/\/+$/, '') + '/'
  if (url.origin !== base.origin || url.hash !== '' || !url.pathname.startsWith(prefix)) return false
  const parsed = url.pathname.slice(prefix.length).split('/').map(decodeURIComponent)
  return parsed.length === segments.length && parsed.every((segment, index) => segment === segments[index])
}
