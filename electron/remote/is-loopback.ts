/**
 * Whether a host name, spelled as `URL.hostname` spells it, can only be this computer. Names under
 * `.localhost` do not count: system resolvers may ask a name server for them.
 */
export const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
