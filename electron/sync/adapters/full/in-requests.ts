/** Changes to a request, as the service takes them. */
export const mostChanges = 200
/** Values may be as large as 4 MiB and a request 5: one more is begun before it could be refused for its size. */
const mostBytes = 4 * 1024 * 1024

/** Splits changes into requests that the service takes, in order. Sealed text is ASCII: characters are bytes but for names. */
export function inRequests<T>(changes: readonly T[], bodyOf: (change: T) => unknown): T[][] {
  const requests: T[][] = []
  let bytes = 0
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(bodyOf(change)))
    const last = requests.at(-1)
    if (last === undefined || last.length >= mostChanges || bytes + size > mostBytes) {
      requests.push([change])
      bytes = size
    } else {
      last.push(change)
      bytes += size
    }
  }
  return requests
}
