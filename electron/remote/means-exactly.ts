/**
 * Whether `url`, as parsed, has the origin and path of `base` followed by exactly `segments`,
 * decoded. The last check before a request: it holds whatever the rules for names let through.
 */
export function meansExactly(url: URL, base: URL, segments: readonly string[]): boolean {
  const prefix = base.pathname.replace(/\/+$/, '') + '/'
  if (url.origin !== base.origin || url.hash !== '' || !url.pathname.startsWith(prefix)) return false
  const parsed = url.pathname.slice(prefix.length).split('/').map(decodeURIComponent)
  return parsed.length === segments.length && parsed.every((segment, index) => segment === segments[index])
}
