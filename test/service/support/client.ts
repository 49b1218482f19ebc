/** What came back: the status, the headers that tests look at, and the whole body. */
export interface Reply<T> {
  status: number
  etag: string | null
  headers: Headers
  body: { success: boolean; code: number; message: string; data: T }
}

export type Call = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply<T>>

/** A plain HTTP client with a key: JSON out, JSON in, nothing else. */
export const client =
  (url: string, apiKey: string): Call =>
  async (method, path, body, headers) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return {
      status: response.status,
      etag: response.headers.get('etag'),
      headers: response.headers,
      body: (await response.json()) as Reply<never>['body'],
    }
  }
