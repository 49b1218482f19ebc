import { extname, join, normalize, sep } from 'node:path'

const mimeTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/**
 * Returns the file of a URL of the page: its absolute path inside `root` and its MIME type. Null if it can't be a file of the page: another
 * host, a path out of `root`, or a type that no page file has.
 */
export function pageFile(root: string, url: string): { path: string; type: string } | null {
  if (!URL.canParse(url)) return null
  const { protocol, host, pathname } = new URL(url)
  if (protocol !== 'app:' || host !== 'holdfast') return null
  const relative = decode(pathname)
  if (relative === null || /[\\\0:]/.test(relative)) return null
  const path = normalize(join(root, relative === '/' ? 'index.html' : relative))
  const type = mimeTypes[extname(path)]
  return type !== undefined && path.startsWith(normalize(root + sep)) ? { path, type } : null
}

function decode(pathname: string): string | null {
  try {
    return decodeURIComponent(pathname)
  } catch {
    return null
  }
}
