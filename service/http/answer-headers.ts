/** The headers of every JSON answer: nothing of it is kept by a cache or taken for anything but JSON. */
export const answerHeaders = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
} as const
