const utf8 = new TextEncoder()

const base64url = (bytes: ArrayBuffer | Uint8Array): string =>
  btoa(String.fromCharCode(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** 24 random bytes, base64url. */
export const drawNonce = (): string => base64url(crypto.getRandomValues(new Uint8Array(24)))

/** HMAC-SHA-256 of what host and tab prove to each other, base64url; `electron/host/connect-socket.ts` makes the same. */
export const prove = async (
  secret: string,
  side: 'host' | 'tab',
  { tab, host, address }: { tab: string; host: string; address: string },
): Promise<string> => {
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return base64url(await crypto.subtle.sign('HMAC', key, utf8.encode(['holdfast', side, address, tab, host].join(' '))))
}
