import type { ServiceDeps } from '../../service/app.ts'

/** The servers that Holdfast works with: ours, and ours with what a foreign one may lack switched off. */
export const flavours = ['full', 'no-feed', 'no-etags', 'bare-arrays', 'only-14'] as const
export type Flavour = (typeof flavours)[number]

/** What of the real service is switched off for each. A server with bare arrays has no feed, or its lists would never be read. */
export const without: { readonly [F in Flavour]: NonNullable<ServiceDeps['without']> } = {
  full: [],
  'no-feed': ['changes'],
  'no-etags': ['etags', 'idempotency'],
  'bare-arrays': ['changes'],
  'only-14': 'extensions',
}
