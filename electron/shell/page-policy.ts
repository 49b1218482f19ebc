/**
 * The Content-Security-Policy of the page: its own files and nothing else. Inline styles are
 * allowed because components position themselves with them; scripts never are.
 * `connect` lists what the page may talk to, in CSP source syntax.
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
    // No text becomes markup but through Svelte's own templates.
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
