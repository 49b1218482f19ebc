/** The services that Holdfast works with: ours, and ours with what another may lack hidden. */
export const flavours = ['full', 'no-feed', 'bare-arrays', 'only-14'] as const
export type Flavour = (typeof flavours)[number]
