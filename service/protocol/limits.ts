/** The service's limits, the same for every client (docs/service.md, "Limits"). */

/**
 * Largest value in bytes of UTF-8, which Holdfast checks before it seals one. Linux hands a program at most 128 KiB in one variable; with
 * 512 KiB, an edit, its sending and its arrival each hold the application for less than 50 ms.
 */
export const valueLimit = 512 * 1024
/** Longest sealed value, `v1:` included: a value in base64, with its padding, and room. Sealed text is ASCII: characters are bytes. */
export const sealedValueLimit = 1024 * 1024
/** Largest request body in bytes; more is 413. */
export const bodyLimit = 5 * 1024 * 1024
/** How deep lists and objects of a request may be nested; more is 400. */
export const jsonDepthLimit = 32
/** Most members and items in all lists and objects of a request; more is 400. */
export const jsonValueLimit = 10_000
/** Requests a minute for one key; more is 429 with Retry-After. */
export const requestsPerMinute = 6000
/** Requests a minute without a valid key from one address (an IPv6 network of 64 bits counts as one); more is 429 with Retry-After. */
export const strangerRequestsPerMinute = 600
/** Open connections over which no valid key has come; the oldest of the address with the most is cut off for the next one. */
export const strangerConnections = 512
/** Open connections with a key; the oldest of the key with the most is cut off for the next one. */
export const keyConnections = 4096
/** Longest name of a variable, project, environment or workspace, in code points. */
export const nameLimit = 255
export const slugLimit = 63
/** Labels, notes and icons in code points too. */
export const labelLimit = 255
export const noteLimit = 10_000
export const iconLimit = 64
export const emailLimit = 254
/** Items in one bulk delete or batch of changes. */
export const bulkLimit = 200
export const pageDefault = 100
export const pageLimit = 1000
/** A page holds at most so many bytes of values, or a single one; `nextCursor` goes on from there. */
export const pageBytes = 4 * 1024 * 1024
/** Most bytes of names and sealed values that a version can hold; an environment that holds more cannot be saved as one: 413. */
export const versionBytes = 16 * 1024 * 1024
/** Projects, environments, variables and members of one workspace; more is 413, where whoever runs the service set no other quota. */
export const recordsQuota = 1_000_000
/** Versions of one workspace. */
export const versionsQuota = 100_000
/** Bytes of all sealed values of one workspace, those of versions too. */
export const bytesQuota = 16 * 1024 ** 3
/** How long a deleted project or environment can be restored. */
export const deletedDays = 30
/** How long an answer is kept for its Idempotency-Key. */
export const idempotencyHours = 24
export const idempotencyKeyLimit = 255
