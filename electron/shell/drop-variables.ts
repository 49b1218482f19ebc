/** Node checks no certificate with the first; Chromium writes the keys of every connection into the file that the second one names. */
const names = ['NODE_TLS_REJECT_UNAUTHORIZED', 'SSLKEYLOGFILE']

/** Drops the environment variables that would make TLS useless. Must run before the first connection. */
export function dropVariables(env: Record<string, string | undefined>): void {
  for (const name of names) delete env[name]
}
