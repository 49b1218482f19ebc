/**
 * The text that the key store has for an API key: with the address that it is for. Copied data folders share the key store, and one of them
 * may still know the address at which the service was before: it must not send the key there.
 */
export const apiKeyEntry = (apiKey: string, baseUrl: string): string => `${apiKey} ${baseUrl}`

/** Returns the API key of an entry; null: it is for another address. An entry without an address, as earlier versions made, is for any. */
export function apiKeyFor(baseUrl: string | null, entry: string): string | null {
  const [, apiKey = entry, address = baseUrl] = /^(.*) (https?:\S+)$/.exec(entry) ?? []
  return address === baseUrl ? apiKey : null
}
