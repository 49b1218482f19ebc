/** Thrown by a `fetch` of the application itself when nothing was sent. The message is a sentence for the user. */
export class NotSentError extends Error {}
