import { z } from 'zod'

const longestWords = 300

const text = z.string().optional().catch(undefined)
/** The fields in which services and proxies put their message. The first one found is used. */
const wordy = z.object({
  message: text,
  detail: text,
  error: z
    .union([z.string(), z.object({ message: text })])
    .optional()
    .catch(undefined),
  title: text,
})

/**
 * Returns the message of an error body as one line, or null if it has none. Takes any parsed JSON. Sealed values and the API key are cut
 * out, should the service repeat them.
 */
export function serviceWords(body: unknown, apiKey: string): string | null {
  const parsed = wordy.safeParse(body)
  if (!parsed.success) return null
  const { message, detail, error, title } = parsed.data
  return (
    [message, detail, typeof error === 'string' ? error : error?.message, title]
      .flatMap((words) => (words === undefined ? [] : [tidy(words, apiKey)]))
      .find((words) => words !== '') ?? null
  )
}

function tidy(words: string, apiKey: string): string {
  const cleaned = words
    .replaceAll(apiKey, '(API key)')
    .replace(/v1:[A-Za-z0-9+/=_-]{8,}/g, '(sealed value)')
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
  const letters = [...cleaned]
  return letters.length > longestWords ? `${letters.slice(0, longestWords).join('')}…` : cleaned
}
