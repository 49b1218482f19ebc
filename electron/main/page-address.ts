/** The scheme of the page's own files; privileged before Electron is ready. */
export const pageScheme = 'app'

/** Where the page is: its first address, and the origin that every call must come from. */
export interface PageAddress {
  url: string
  origin: string
}

/** The page as it is shipped: files of out/renderer under a scheme of our own. */
const shippedPage: PageAddress = { url: 'app://holdfast/index.html', origin: 'app://holdfast' }

/**
 * The address of the page. `devServer` is the address of `npm run dev`; it counts only in a source tree, so
 * that no environment variable makes a shipped Holdfast load a page from elsewhere.
 */
export function pageAddress(isShipped: boolean, devServer: string | undefined): PageAddress {
  if (isShipped || !devServer) return shippedPage
  return { url: devServer, origin: new URL(devServer).origin }
}

/** The origin of a URL, also of our own scheme, for which URL.origin is opaque in Node. Null when it is no URL. */
export function originOf(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, host, origin } = new URL(url)
  return protocol === `${pageScheme}:` ? `${protocol}//${host}` : origin
}
