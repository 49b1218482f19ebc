/**
 * Returns the Content-Security-Policy of the page: it may load only its own files. Inline styles are allowed, because components position
 * themselves with them. Inline scripts are not. `connect`: what the page may connect to, in CSP source syntax.
 */
export function pagePolicy(connect: readonly string[]): Record<string, string[]> {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'font-src': ["'self'"],
    'img-src': ["'self'", 'data:'],
    'connect-src': connect.length > 0 ? [...connect] : ["'none'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    // Only Svelte's own templates may turn text into markup.
    'require-trusted-types-for': ["'script'"],
    'trusted-types': ['svelte-trusted-html'],
  }
}

/** The same policy as one header value. */
export function policyHeader(policy: Record<string, string[]>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(' ')}`)
    .join('; ')
}
