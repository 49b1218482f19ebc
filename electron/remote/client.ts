import { z } from 'zod'
import { err, ok, type Result } from '../bridge/result.ts'
import { buildUrl } from './build-url.ts'
import { checkSegment, type Segment } from './check-segment.ts'
import { untilStopped, withDeadline } from './deadline.ts'
import { networkError, redirected } from './network-error.ts'
import { isWebPage } from './is-web-page.ts'
import { notAService } from './not-a-service.ts'
import { parseBody } from './parse-body.ts'
import { readBody } from './read-body.ts'
import { readData } from './read-data.ts'
import { readEtag } from './records.ts'
import type { RemoteError, WriteOptions } from './remote.ts'
import { retryAfterMs } from './retry-after.ts'
import type { Extension } from './service-profile.ts'
import { serviceWords } from './service-words.ts'
import { pageError, statusError } from './status-error.ts'

/** One request, before it is an address and bytes. */
export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path segments under the base URL, not yet encoded. */
  path: readonly Segment[]
  query?: Readonly<Record<string, string>>
  body?: unknown
  /** Slugs and names in the body that will be path segments of later requests. */
  names?: readonly (string | undefined)[]
  options?: WriteOptions
  /** Set for a call that is not one of the 14 operations: services need not offer it. */
  extension?: Extension
}

export interface Answer<T> {
  data: T
  etag: string | undefined
  /** The error of one item of a bulk answer, from its own code and message. */
  itemError(item: { code?: unknown; message?: unknown }): RemoteError
}

/** `ifFromBetween`: what the error is if not the service answered, but a proxy or a sign-in page. Set for web pages with a 4xx status. */
export type ClientError = RemoteError & { ifFromBetween?: RemoteError }

export interface Client {
  host: string
  /** Sends one request and reads its data with `schema`. Never rejects, unless `apiKey` does. */
  send<T>(call: Call, schema: z.ZodType<T>): Promise<Result<Answer<T>, ClientError>>
}

export interface ClientSettings {
  /** As `checkBaseUrl` gave it. */
  baseUrl: string
  apiKey: () => string | null | Promise<string | null>
  fetch: typeof fetch
  timeoutMs: number
  bodyLimitBytes: number
  signal: AbortSignal | undefined
  now: () => number
}

/** Error bodies hold a few words; the rest is not read. */
const errorBodyLimitBytes = 64 * 1024

/** Creates the client that all operations use. It sends one request and checks every field of the answer. */
export function createClient(settings: ClientSettings): Client {
  const host = new URL(settings.baseUrl).host
  return {
    host,
    async send(call, schema) {
      const apiKey = await settings.apiKey()
      if (apiKey === null || apiKey === '') return err(keyError('No API key for this service on this computer. Enter one.'))
      const request = buildRequest(settings.baseUrl, call, apiKey)
      if (!request.ok) return request
      return withDeadline(settings.timeoutMs, settings.signal, async (signal) => {
        try {
          const response = await untilStopped(settings.fetch(request.value.url, { ...request.value.init, signal }), signal)
          return await readAnswer({ settings, host, call, apiKey, response, signal }, schema)
        } catch (thrown) {
          return err(networkError(signal.aborted ? signal.reason : thrown, host))
        }
      })
    },
  }
}

function buildRequest(baseUrl: string, call: Call, apiKey: string): Result<{ url: string; init: RequestInit }, RemoteError> {
  const url = buildUrl(baseUrl, call.path, call.query)
  if (!url.ok) return url
  for (const name of call.names ?? []) {
    const checked = name === undefined ? ok('') : checkSegment(name)
    if (!checked.ok) return checked
  }
  // fetch would refuse these too, with an error that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    return err(keyError('The API key contains characters that keys don’t have. Copy it again and enter it.'))
  const headers: Record<string, string> = { accept: 'application/json', authorization: `Bearer ${apiKey}` }
  if (call.body !== undefined) headers['content-type'] = 'application/json'
  if (call.options?.ifMatch !== undefined) headers['if-match'] = call.options.ifMatch
  if (call.method === 'POST' && call.options?.idempotencyKey !== undefined) headers['idempotency-key'] = call.options.idempotencyKey
  if (Object.values(headers).some((value) => !/^[\x20-\x7e]*$/.test(value))) return err(unsendable)
  return ok({
    url: url.value,
    init: {
      method: call.method,
      headers,
      // The API key must not follow a redirect. Caches and cookies are not used.
      redirect: 'manual',
      cache: 'no-store',
      credentials: 'omit',
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    },
  })
}

interface Received {
  settings: ClientSettings
  host: string
  call: Call
  apiKey: string
  response: Response
  signal: AbortSignal
}

async function readAnswer<T>(received: Received, schema: z.ZodType<T>): Promise<Result<Answer<T>, ClientError>> {
  const { settings, host, apiKey, response, signal } = received
  if (response.type === 'opaqueredirect') return err(redirected(host))
  if (!response.ok) return err(await readRefusal(received))
  const bytes = await readBody(response, settings.bodyLimitBytes, signal)
  if (bytes === null) return err(notAService(host, 'sent more than Holdfast can read at once'))
  const data = await readData(bytes, schema)
  if (!data.ok) return err(notAService(host, data.error))
  return ok({
    data: data.value,
    etag: readEtag(response.headers.get('etag')),
    itemError: (item) =>
      typeof item.code === 'number' && item.code >= 400
        ? statusError({ status: item.code, words: serviceWords(item, apiKey), retryAfterMs: null, host, isFeed: false, isPruned: false })
        : notAService(host, 'didn’t say whether it accepted one of the changes'),
  })
}

const prunedBody = z.object({ data: z.object({ pruned: z.literal(true) }) })

/** The status decides what the error is. If the body can't be read, the service's words are missing, and whether it pruned a feed. */
async function readRefusal({ settings, host, call, apiKey, response, signal }: Received): Promise<ClientError> {
  const bytes = await readBody(response, errorBodyLimitBytes, signal).catch(() => null)
  const body = bytes === null ? null : await parseBody(bytes)
  // Of a page too long to be read only the type is known.
  const isPage = bytes === null ? /html/i.test(response.headers.get('content-type') ?? '') : isWebPage(bytes)
  const ifFromBetween = isPage ? pageError(response.status, host) : undefined
  const error = statusError({
    status: response.status,
    words: serviceWords(body, apiKey),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), settings.now()),
    host,
    isFeed: call.extension === 'changes',
    isPruned: prunedBody.safeParse(body).success,
  })
  return ifFromBetween === undefined ? error : { ...error, ifFromBetween }
}

const keyError = (message: string): RemoteError => ({ kind: 'unauthorized', outcome: 'none', message })

const unsendable: RemoteError = {
  kind: 'unsafe',
  outcome: 'none',
  message: 'A revision mark of this change has characters that can’t be sent. Nothing was sent; sync, then try again.',
}
