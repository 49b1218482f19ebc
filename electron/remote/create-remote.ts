import { err } from '../bridge/result.ts'
import { checkBaseUrl } from './check-base-url.ts'
import { createClient, type Client } from './client.ts'
import { findProfile } from './find-profile.ts'
import { documentedOperations, extensions } from './operations.ts'
import type { Remote } from './remote.ts'

export interface RemoteOptions {
  /** See `checkBaseUrl`. With an address it refuses, every operation is `unsafe` and nothing is sent. */
  baseUrl: string
  /**
   * Called before every request, so that a new key is used at once. Null if there is no key: the request fails as `unauthorized`. A
   * rejection is passed on.
   */
  apiKey: () => string | null | Promise<string | null>
  /** Usually Node's own. Electron's `net.fetch` works too, but it throws outside of its promise on a status of 600 or more. */
  fetch: typeof fetch
  /** The time for one request, up to the last byte of its answer. Default: 30 seconds. */
  timeoutMs?: number
  /** The largest answer taken, decompressed. Default: 64 MiB. */
  bodyLimitBytes?: number
  /** The user allowed plain http to leave this computer. */
  allowInsecure?: boolean
  /** Aborts the requests under way: each ends as `cancelled`. */
  signal?: AbortSignal
  /** Milliseconds since the epoch, to read dates in Retry-After. */
  now?: () => number
}

/** The client of one service. Its operations never throw on anything a service or network does. */
export function createRemote(options: RemoteOptions): Remote {
  const { client, profile, findProfile: askProfile } = findProfile(clientOf(options))
  return { profile, findProfile: askProfile, ...documentedOperations(client), ...extensions(client) }
}

function clientOf(options: RemoteOptions): Client {
  const baseUrl = checkBaseUrl(options.baseUrl, { allowInsecure: options.allowInsecure })
  if (!baseUrl.ok) {
    const { message } = baseUrl.error
    return { host: '', send: async () => err({ kind: 'unsafe', outcome: 'none', message }) }
  }
  return createClient({
    baseUrl: baseUrl.value,
    apiKey: options.apiKey,
    fetch: options.fetch,
    timeoutMs: options.timeoutMs ?? 30_000,
    bodyLimitBytes: options.bodyLimitBytes ?? 64 * 1024 * 1024,
    signal: options.signal,
    now: options.now ?? Date.now,
  })
}
