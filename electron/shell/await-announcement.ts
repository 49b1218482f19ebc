import type { Readable } from 'node:stream'
import { z } from 'zod'

const announcementSchema = z.object({
  url: z.url({ protocol: /^http$/, hostname: /^(127\.0\.0\.1|localhost)$/ }),
  workspaceId: z.string().min(1),
  apiKey: z.string().min(1).optional(),
})

/** What the service says on its first stdout line. */
export interface Announcement {
  url: string
  workspaceId: string
  apiKey: string | null
}

const lineLimitBytes = 64 * 1024
const tailLimitCharacters = 2000

/**
 * Waits for the first stdout line of a service child: `{"url","workspaceId","apiKey"?}`.
 * Rejects with an Error whose message names the reason and ends with what the child last wrote to
 * stderr, when the child ends first, says something else, or says nothing within `timeoutMs`.
 * Both streams are drained for as long as the child lives, so that it never blocks on a full pipe.
 */
export function awaitAnnouncement(
  child: { stdout: Readable; stderr: Readable; ended: Promise<string> },
  timeoutMs: number,
): Promise<Announcement> {
  return new Promise((resolve, reject) => {
    let heard = ''
    let tail = ''
    let settled = false
    const settle = (act: () => void) => {
      if (settled) return
      settled = true
      clearTimeout(timer)
      child.stdout.off('data', onOutput).resume()
      child.stderr.off('data', onComplaint).resume()
      act()
    }
    const fail = (reason: string) => settle(() => reject(new Error(tail.trim() === '' ? reason : `${reason} It said last: ${tail.trim()}`)))
    const timer = setTimeout(() => fail(`The service did not start within ${timeoutMs / 1000} seconds.`), timeoutMs)

    const onOutput = (chunk: Buffer | string) => {
      heard += String(chunk)
      const end = heard.indexOf('\n')
      if (end < 0 && heard.length < lineLimitBytes) return
      const announcement = parseAnnouncement(heard.slice(0, Math.max(end, 0)))
      if (announcement) settle(() => resolve(announcement))
      else fail('The service started with a line that is not its address.')
    }
    const onComplaint = (chunk: Buffer | string) => {
      tail = (tail + String(chunk)).slice(-tailLimitCharacters)
    }
    child.stdout.on('data', onOutput)
    child.stderr.on('data', onComplaint)
    void child.ended.then((how) => fail(`The service ended before it was ready (${how}).`))
  })
}

function parseAnnouncement(line: string): Announcement | null {
  try {
    const { url, workspaceId, apiKey } = announcementSchema.parse(JSON.parse(line))
    return { url, workspaceId, apiKey: apiKey ?? null }
  } catch {
    return null
  }
}
