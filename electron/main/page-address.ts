/** The scheme of the page's own files; privileged before Electron is ready. */
export const pageScheme = 'app'

/** The page's first address, and the origin that every call must come from. */
export interface PageAddress {
  url: string
  origin: string
}

/** The address of the built page: files of out/renderer under a scheme of our own. */
const shippedPage: PageAddress = { url: 'app://holdfast/index.html', origin: 'app://holdfast' }

/**
 * Returns the address of the page. `devServer` is the address of `npm run dev`. It counts only in a source tree: no environment variable
 * must make a shipped Holdfast load another page.
 */
export function pageAddress(isShipped: boolean, devServer: string | undefined): PageAddress {
  if (isShipped || !devServer) return shippedPage
  return { url: devServer, origin: new URL(devServer).origin }
}

/** Returns the origin of a URL, also for our own scheme, for which URL.origin is opaque in Node. Null if the text is not a URL. */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host, origin } = new URL(url)
  return protocol === `${pageScheme}:` ? `${protocol}//${host}` : origin
}
