/**
 * The longest message between a page and the browser host, in bytes. It has room for an import of 5 MiB, with JSON escapes. A longer one would
 * end the connection. The page loads this file.
 */
export const messageLimitBytes = 24 * 1024 * 1024
