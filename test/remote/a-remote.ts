import { createRemote, type RemoteOptions } from '../../electron/remote/create-remote.ts'
import type { Remote } from '../../electron/remote/remote.ts'

export const apiKey = 'hf_test_0123456789abcdef'

/** A client of `baseUrl` with short deadlines and a key that must never show up in a message. */
export const aRemote = (baseUrl: string, options: Partial<RemoteOptions> = {}): Remote =>
  createRemote({ baseUrl, apiKey: () => apiKey, fetch, timeoutMs: 20_000, ...options })
